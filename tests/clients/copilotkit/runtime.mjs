// CopilotKit's runtime, as it stands between its chat and an agent; `node runtime.mjs URL` prints where it listens.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { HttpAgent } from "@ag-ui/client";
import { AgentRunner, CopilotRuntime } from "@copilotkit/runtime/v2";
import { createCopilotNodeListener } from "@copilotkit/runtime/v2/node";

const [, , server] = process.argv;
const agentOf = (headers) => new HttpAgent({ url: `${server}/agui`, headers });

/** The one agent, in the name of whoever asks. */
const agents = ({ request }) => ({
  assistant: agentOf({ "X-Softrail-Person": request.headers.get("X-Softrail-Person") }),
});

/** The server keeps what was said, and takes in order what comes at once: nothing is kept here, and nothing refused. */
class Straight extends AgentRunner {
  run({ agent, input }) {
    return agent.run(input);
  }

  /** What was said in the thread, by a run in which nothing is. */
  connect({ threadId, headers }) {
    const nothing = { messages: [], state: {}, tools: [], context: [], forwardedProps: {} };
    return agentOf(headers).run({ threadId, runId: randomUUID(), ...nothing });
  }

  async isRunning() {
    return false;
  }

  async stop() {
    return false;
  }
}

const runtime = new CopilotRuntime({ agents, runner: new Straight() });
const listener = createCopilotNodeListener({ runtime, basePath: "/api/copilotkit" });
const serving = createServer(listener);
serving.keepAliveTimeout = 0; // a connection that is about to be used again is never closed
serving.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${serving.address().port}/api/copilotkit`);
});
process.stdin.resume().on("end", () => process.exit()); // whoever started it is gone
