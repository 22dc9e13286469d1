import type { Asked } from './crowd.ts'

const MB = 1024 ** 2
/** Made once: a caller that makes them again and again has no time to send them. */
const PROTOTYPES = `{"${'a'.repeat(200_000)}":[${repeated('{"prototype":0}', 12_000)}]}`
const WIDE = `{"assertions":[${repeated('{}', 450_000)}]}`
const FULL = `{"assertions":[${repeated('{}', 19_900)}],"values":{${repeated('" ":{}', 50)}}}`
const DEEP = `${'['.repeat(0.7 * MB)}${']'.repeat(0.7 * MB)}`
const LARGEST = `{"files":[${repeated('{}', 5_500_000)}]}`
const FILES = `{"files":[${repeated('{"name":"a","text":""}', 2_500)}]}`
const TALK = `{"model":"chain-1","messages":[{"role":"user","content":[${repeated('{}', 99_000)}]}]}`
const CALL = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_prompts","arguments":{"query":[${repeated('{}', 19_900)}]}}}`
const SEARCH = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_prompts","arguments":{"query":"${'again '.repeat(200_000)}"}}}`

function repeated(part: string, count: number): string {
  return Array.from({ length: count }, () => part).join(',')
}

const post = (path: string, payload: string): Asked => ({ method: 'POST', path, payload })

/** The calls that cost the most before their handlers run, by who may make them. */
export const WORST_CALLS = {
  guest: [
    ...['/api/login', '/api/register', '/api/test-suites/1/cases'].flatMap((path) => [
      post(path, PROTOTYPES),
      post(path, WIDE),
      post(path, DEEP),
    ]),
    ...['/api/folder/push', '/api/import', '/v1/messages', '/mcp'].map((path) => post(path, LARGEST)),
  ],
  account: [
    ...['/api/test-suites/grade', '/api/evaluations', '/api/prompts'].flatMap((path) => [
      post(path, PROTOTYPES),
      post(path, WIDE),
      post(path, FULL),
    ]),
  ],
  imports: [post('/api/import', LARGEST), post('/api/import', FILES)],
  agents: [post('/mcp', CALL), post('/mcp', SEARCH), post('/mcp', WIDE)],
  programs: ['/v1/messages', '/v1/chat/completions', '/v1/responses', '/v1/messages/count_tokens'].flatMap(
    (path) => [post(path, TALK), post(path, LARGEST)],
  ),
} satisfies Record<string, Asked[]>
