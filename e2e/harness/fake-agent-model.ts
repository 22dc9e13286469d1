import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Asked {
  path: string
  body: Record<string, unknown>
}

interface Tool {
  name: string
  namespace?: string
}

/** The model that steers an agent: it calls a tool once, where one was named, and then says what it was answered. */
export async function startFakeAgentModel() {
  const journal: Asked[] = []
  let wanted: { tool: string; input: object } | undefined

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://model').pathname
    const sent = await text(request)
    const body = sent === '' ? {} : JSON.parse(sent)
    if (request.method !== 'POST') return void response.writeHead(404).end()
    if (path.endsWith('/count_tokens')) {
      return void response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}')
    }
    journal.push({ path, body })
    const tool = wanted && findTool(body.tools ?? [], wanted.tool)
    const call = wanted && tool ? { ...tool, input: JSON.stringify(wanted.input) } : undefined
    if (call !== undefined) wanted = undefined
    const said = answersIn(body)
    const events = path.endsWith('/messages') ? messageEvents({ call, said }) : responseEvents({ call, said })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    journal,
    /** The next call with a tool of such a name calls it. */
    wants: (tool: string, input: object) => {
      wanted = { tool, input }
    },
    reset: () => {
      journal.length = 0
      wanted = undefined
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

/** Codex has the tools of a server under a name of theirs. */
function findTool(tools: { name?: string; tools?: { name?: string }[] }[], part: string): Tool | undefined {
  for (const { name = '', tools: inner } of tools) {
    const found = inner?.find((one) => one.name?.includes(part))
    if (found?.name !== undefined) return { name: found.name, namespace: name }
    if (name.includes(part)) return { name }
  }
  return undefined
}

/** What tools have answered, or that they have not. */
function answersIn(body: Record<string, unknown>): string {
  const sent = JSON.stringify(body.messages ?? body.input ?? [])
  return sent.includes('tool_result') || sent.includes('function_call_output')
    ? 'The tool answered.'
    : 'No tool.'
}

interface Reply {
  call: (Tool & { input: string }) | undefined
  said: string
}
type Event = { type: string } & Record<string, unknown>

function messageEvents({ call, said }: Reply): Event[] {
  const block = call
    ? { type: 'tool_use', id: 'toolu_1', name: call.name, input: {} }
    : { type: 'text', text: '' }
  const delta = call
    ? { type: 'input_json_delta', partial_json: call.input }
    : { type: 'text_delta', text: said }
  const usage = { input_tokens: 1, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'fake', content: [], usage }
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1 },
    },
    { type: 'message_stop' },
  ]
}

function responseEvents({ call, said }: Reply): Event[] {
  const item = call
    ? {
        ...{
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          status: 'completed',
          arguments: call.input,
        },
        ...{ name: call.name, ...(call.namespace && { namespace: call.namespace }) },
      }
    : {
        ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text: said, annotations: [] }],
      }
  const response = { id: 'resp_1', object: 'response', created_at: 1, model: 'fake', output: [] }
  const usage = {
    ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    ...{ input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } },
  }
  return [
    { type: 'response.created', response: { ...response, status: 'in_progress' } },
    { type: 'response.output_item.added', output_index: 0, item },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { ...response, status: 'completed', output: [item], usage } },
  ]
}
