"""The way from every schema that was ever released to the present one."""
