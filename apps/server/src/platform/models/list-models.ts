import type { ProviderKind } from '@catenary/contracts'
import { readProviderAddress } from '@catenary/domain'
import { toModelError } from './model-error.ts'
import type { ListedProvider } from './model-types.ts'
import { ProviderError } from './provider-error.ts'
import type { ProviderPools } from './provider-reply.ts'
import { WIRES } from './provider-target.ts'

/** Within the client's own limit of 20 s. */
const LIMIT_MS = 15_000
const BODY_BYTES = 4 * 1024 * 1024
const NAMES_MAX = 1_000
const NAME_LENGTH_MAX = 200

const PATHS: Record<ProviderKind, string> = {
  anthropic: '/models?limit=1000',
  openai: '/models',
  gemini: '/models?pageSize=1000',
  compatible: '/models',
}

interface Listed {
  data?: { id?: unknown }[]
  models?: { name?: unknown }[]
}

export function listAddressOf({ kind, baseUrl }: Pick<ListedProvider, 'kind' | 'baseUrl'>): string {
  const { origin, pathOf } = readProviderAddress({ kind, baseUrl })
  return origin + pathOf(PATHS[kind])
}

/** Asks a provider for the names of its models, sorted. Throws `ModelError` with a sentence that has nothing of the reply but its status. */
export async function listModelsOf({
  provider: { kind, baseUrl, apiKey = '', reach },
  label,
  pools,
}: {
  provider: ListedProvider
  label: string
  pools: ProviderPools
}): Promise<string[]> {
  const wire = WIRES[kind]({ baseUrl, apiKey, modelId: '' })
  const { origin, pathOf } = readProviderAddress({ kind, baseUrl })
  try {
    const reply = await pools.of(origin, reach).request({
      method: 'GET',
      path: pathOf(PATHS[kind]),
      headers: { accept: 'application/json', 'user-agent': 'catenary', ...wire.headers(apiKey) },
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    const { statusCode: status, headers, body } = reply
    if (status < 200 || status > 299) {
      body.destroy()
      body.on('error', () => undefined)
      // The address may be anyone's, so nothing of its answer is passed on.
      throw new ProviderError({ status, headers, body: '', message: '' })
    }
    return namesIn(JSON.parse(await readBounded(body)) as Listed)
  } catch (error) {
    throw toModelError({ error, alias: '', label, keyVariable: 'its key', apiKey, now: Date.now() })
  }
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length > BODY_BYTES) throw new SyntaxError('The list is too long')
  }
  return Buffer.concat(chunks).toString('utf8')
}

function namesIn(listed: Listed | null): string[] {
  const { data, models } = listed ?? {}
  const rows = Array.isArray(data) ? data : models
  if (!Array.isArray(rows)) throw new SyntaxError('This is not a list of models')
  const names = rows.map((row: { id?: unknown; name?: unknown } | null) => row?.id ?? row?.name)
  const known = names.filter((name) => typeof name === 'string' && name.length <= NAME_LENGTH_MAX)
  return [...new Set(known.map((name) => String(name).replace(/^models\//, '')))]
    .toSorted()
    .slice(0, NAMES_MAX)
}
