import type { ApiExample } from './api-examples.ts'

interface McpExampleOptions {
  address: string
}

const NAME = 'catenary'
/** Calls need no session: one line lists what the token reaches. */
const LIST_CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const PROTOCOL_VERSION = '2025-06-18'

export function mcpExamples({ address }: McpExampleOptions): ApiExample[] {
  const url = `${address}/mcp`
  return [
    {
      id: 'claude-code-mcp',
      client: 'Claude Code',
      label: 'Terminal',
      language: 'Shell',
      code: `claude mcp add -t http ${NAME} ${url} -H "Authorization: Bearer $CATENARY_TOKEN"`,
      hint: 'One line in a terminal, then /mcp lists it.',
    },
    {
      id: 'codex-mcp',
      client: 'Codex',
      label: 'Terminal',
      language: 'Shell',
      code: `codex mcp add ${NAME} --url ${url} --bearer-token-env-var CATENARY_TOKEN`,
      hint: 'One line in a terminal, then /mcp lists it. It reads CATENARY_TOKEN whenever it starts.',
    },
    {
      id: 'cursor-mcp',
      client: 'Cursor',
      label: 'mcp.json',
      language: 'JSON',
      code: toJson({
        mcpServers: { [NAME]: { url, headers: { Authorization: `Bearer ${fromEnvironment('env:')}` } } },
      }),
      hint: 'In ~/.cursor/mcp.json, or in .cursor/mcp.json for one project. It reads CATENARY_TOKEN when it starts.',
    },
    {
      id: 'vscode-mcp',
      client: 'VS Code',
      label: 'mcp.json',
      language: 'JSON',
      code: toJson({
        inputs: [
          { type: 'promptString', id: 'catenary-token', description: 'Catenary token', password: true },
        ],
        servers: {
          [NAME]: {
            type: 'http',
            url,
            // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in.
            headers: { Authorization: 'Bearer ${input:catenary-token}' },
          },
        },
      }),
      hint: 'In .vscode/mcp.json. It asks for the token once, and keeps it sealed.',
    },
    {
      id: 'opencode-mcp',
      client: 'OpenCode',
      label: 'opencode.json',
      language: 'JSON',
      code: toJson({
        $schema: 'https://opencode.ai/config.json',
        mcp: {
          [NAME]: {
            type: 'remote',
            url,
            headers: { Authorization: 'Bearer {env:CATENARY_TOKEN}' },
            oauth: false,
          },
        },
      }),
      hint: 'In ~/.config/opencode/opencode.json. It reads CATENARY_TOKEN when it starts.',
    },
    {
      id: 'mcp-curl',
      client: 'curl',
      label: 'Tools',
      language: 'Shell',
      code: `curl ${url} \\
  -H "Authorization: Bearer $CATENARY_TOKEN" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -H "MCP-Protocol-Version: ${PROTOCOL_VERSION}" \\
  -d '${LIST_CALL}'`,
      hint: 'Lists the tools that the token reaches, to see that it works.',
    },
  ]
}

const toJson = (value: object): string => JSON.stringify(value, null, 2)

const fromEnvironment = (mark: string): string => `\${${mark}CATENARY_TOKEN}`
