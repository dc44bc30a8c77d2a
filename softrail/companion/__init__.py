"""The bundled assistant: projects with members, numbered notes, groups, files, jobs, a dashboard, and talk about them.

An ordinary plugin: its tables are its own (`softrail.plugin.PluginTables`), its changes are effects, its work in
the background goes through the outbox, and everything it does passes the doors that a stranger's plugin has: it
imports `softrail` and `softrail.plugin`, and `bundled.toml` announces it. It must not know HTTP (but in `routes`), which database is
underneath, how a turn finds its owner, or any guided process but its own.
"""
