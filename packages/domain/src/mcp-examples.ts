import type { ApiExample } from './api-examples.ts'

interface McpExampleOptions {
  address: string
  /** Stands in the line or file itself; unless given, the client reads it from CATENARY_TOKEN or asks for it. */
  token?: string | undefined
}

const NAME = 'catenary'
/** Calls need no session: one line lists what the token reaches. */
const LIST_CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
const PROTOCOL_VERSION = '2025-06-18'

export function mcpExamples({ address, token }: McpExampleOptions): ApiExample[] {
  const url = `${address}/mcp`
  const bearer = (fromElsewhere: string) => `Bearer ${token ?? fromElsewhere}`
  const unlessGiven = (hint: string) => (token === undefined ? ` ${hint}` : '')
  return [
    {
      id: 'claude-code-mcp',
      client: 'Claude Code',
      label: 'Terminal',
      language: 'Shell',
      code: `claude mcp add -t http ${NAME} ${url} -H "Authorization: ${bearer('$CATENARY_TOKEN')}"`,
      hint: 'One line in a terminal, then /mcp lists it.',
    },
    {
      id: 'codex-mcp',
      client: 'Codex',
      label: 'Terminal',
      language: 'Shell',
      code: `${token === undefined ? '' : `export CATENARY_TOKEN=${token}\n`}codex mcp add ${NAME} --url ${url} --bearer-token-env-var CATENARY_TOKEN`,
      hint: 'One line in a terminal, then /mcp lists it. It reads CATENARY_TOKEN whenever it starts.',
    },
    {
      id: 'cursor-mcp',
      client: 'Cursor',
      label: 'mcp.json',
      language: 'JSON',
      code: toJson({
        mcpServers: { [NAME]: { url, headers: { Authorization: bearer(fromEnvironment('env:')) } } },
      }),
      hint: `In ~/.cursor/mcp.json, or in .cursor/mcp.json for one project.${unlessGiven('It reads CATENARY_TOKEN when it starts.')}`,
    },
    {
      id: 'vscode-mcp',
      client: 'VS Code',
      label: 'mcp.json',
      language: 'JSON',
      code: toJson({
        ...(token === undefined && {
          inputs: [
            { type: 'promptString', id: 'catenary-token', description: 'Catenary token', password: true },
          ],
        }),
        servers: {
          [NAME]: {
            type: 'http',
            url,
            // biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in.
            headers: { Authorization: bearer('${input:catenary-token}') },
          },
        },
      }),
      hint: `In .vscode/mcp.json.${unlessGiven('It asks for the token once, and stores it encrypted.')}`,
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
            headers: { Authorization: bearer('{env:CATENARY_TOKEN}') },
            oauth: false,
          },
        },
      }),
      hint: `In ~/.config/opencode/opencode.json.${unlessGiven('It reads CATENARY_TOKEN when it starts.')}`,
    },
    {
      id: 'mcp-curl',
      client: 'curl',
      label: 'Tools',
      language: 'Shell',
      code: `curl ${url} \\
  -H "Authorization: ${bearer('$CATENARY_TOKEN')}" \\
  -H "Content-Type: application/json" \\
  -H "Accept: application/json, text/event-stream" \\
  -H "MCP-Protocol-Version: ${PROTOCOL_VERSION}" \\
  -d '${LIST_CALL}'`,
      hint: 'Lists the tools that the token reaches, to check that it works.',
    },
  ]
}

const toJson = (value: object): string => JSON.stringify(value, null, 2)

const fromEnvironment = (mark: string): string => `\${${mark}CATENARY_TOKEN}`
