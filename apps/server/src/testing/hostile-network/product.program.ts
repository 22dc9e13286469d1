import { setTimeout as pause } from 'node:timers/promises'
import type {
  Category,
  Chain,
  ExecutePromptReply,
  Prompt,
  RunDetails,
  ValueOrigin,
  Variable,
} from '@catenary/contracts'
import { createOutbound } from '../../platform/outbound/outbound.ts'
import { HOSTILE_URLS, ORDINARY_URLS, toRedirect } from './hostile-hosts.ts'
import { createHostileNames, toNamedUrl } from './hostile-names.ts'
import { startListener, type Tries } from './listener.ts'
import { startProduct } from './product.ts'

/** The outcome at each route by which the program fetches addresses that people give. */
export type ProductTries = Record<
  'proxy' | 'trial' | 'content' | 'preview' | 'named' | 'redirected' | 'ordinary',
  Tries
> &
  Record<'prompt' | 'chain', { errors: Record<string, string | null>; text: string; hits: string[] }>

const ALLOWED = ['10.0.0.5', '10.0.0.6:8080', 'wiki.internal']
const [, , dataDir = ''] = process.argv
const listener = await startListener()
const outbound = createOutbound({ allowHosts: ALLOWED, resolve: createHostileNames() })
const product = await startProduct({ dataDir, outbound })

const owner = await product.register('owner')
const ids = new Map<string, number>()
const elsewhere = [...HOSTILE_URLS.map(toNamedUrl), ...HOSTILE_URLS.map(toRedirect), ...ORDINARY_URLS]
for (const url of new Set([...HOSTILE_URLS, ...elsewhere])) {
  const body = { name: `v${ids.size}`, type: 'api', apiUrl: url, isPublic: true }
  const { id } = await owner.post<Variable>('/api/variables', body)
  ids.set(url, id)
}

/** Asks as a new person: each may fetch so often a minute only. */
async function tryAs(username: string, urls: string[], toPath: (url: string) => string): Promise<Tries> {
  const person = await product.register(username)
  return listener.tryEach(urls, async (url) => said(await person.get(toPath(url))))
}
const said = ({ status, text }: { status: number; text: string }) => `${status} ${text}`

/** Before a variable is made of it. */
async function tryUnsaved(): Promise<Tries> {
  const person = await product.register('trial')
  return listener.tryEach(HOSTILE_URLS, async (apiUrl) =>
    said(await person.tryPost('/api/proxy', { apiUrl })),
  )
}
const proxied = (url: string) => `/api/proxy?url=${encodeURIComponent(url)}&variableId=${ids.get(url)}`

const references = HOSTILE_URLS.map((_url, index) => `$<v${index}>`).join('\n')
const errorsByUrl = (resolved: Record<string, ValueOrigin> = {}) =>
  Object.fromEntries(HOSTILE_URLS.map((url, index) => [url, resolved[`v${index}`]?.error ?? null]))

async function runPrompt() {
  const [category] = (await owner.get('/api/categories')).body as Category[]
  const body = { title: 'Hostile', content: references, categoryId: category?.id }
  const { id: promptId } = await owner.post<Prompt>('/api/prompts', body)
  const { resolved, result } = await owner.post<ExecutePromptReply>('/api/execute-prompt', { promptId })
  return { errors: errorsByUrl(resolved), text: result, hits: await listener.takeHits() }
}

async function runChain() {
  const { id: chainId } = await owner.post<Chain>('/api/chains', { name: 'Hostile' })
  const step = { content: references, outputVariableName: 'answer', position: 1 }
  await owner.post(`/api/chains/${chainId}/steps`, step)
  const { id } = await owner.post<{ id: number }>(`/api/chains/${chainId}/execute`, {})
  let run: RunDetails
  do {
    await pause(20)
    run = (await owner.get(`/api/executions/${id}`)).body as RunDetails
  } while (run.status === 'running')
  const [only] = run.steps
  return {
    errors: errorsByUrl(only?.resolved),
    text: only?.inputContent ?? '',
    hits: await listener.takeHits(),
  }
}

const tries: ProductTries = {
  proxy: await tryAs('proxy', HOSTILE_URLS, proxied),
  trial: await tryUnsaved(),
  content: await tryAs('content', HOSTILE_URLS, (url) => `/api/variables/${ids.get(url)}/content`),
  preview: await tryAs('preview', HOSTILE_URLS, (url) => `/api/variables/${ids.get(url)}/preview`),
  named: await tryAs('named', HOSTILE_URLS.map(toNamedUrl), proxied),
  redirected: await tryAs('redirected', HOSTILE_URLS.map(toRedirect), proxied),
  ordinary: await tryAs('ordinary', ORDINARY_URLS, proxied),
  prompt: await runPrompt(),
  chain: await runChain(),
}
await product.close()
process.stdout.write(JSON.stringify(tries))
