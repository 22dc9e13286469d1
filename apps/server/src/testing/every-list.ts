import {
  type Api,
  addressOf,
  type ListKey,
  listEndpoints,
  type ReadKey,
  type SentParams,
  type SentQuery,
} from '@catenary/contracts'

/** `prompts`, of `GET /api/prompts/{id}/versions`. */
type NounOf<Key> = Key extends `GET /api/${infer Noun}/{id}${string}`
  ? Noun extends `${string}/${string}`
    ? never
    : Noun
  : never
/** An id of each noun that lists, and replies with a list in them, belong to. */
export type ListedIds = Record<
  NounOf<ListKey> | Extract<NounOf<ReadKey>, 'executions' | 'groups' | 'variables'>,
  number
>

/** Lists whose address takes something else than an id. */
type OtherwiseOf<Key> = Key extends `${string}/{id}${string}`
  ? never
  : Key extends `${string}{${string}`
    ? Key
    : never
const PARAMS: { [Key in OtherwiseOf<ListKey>]: SentParams<Api[Key]>['params'] } = {
  'GET /api/admin/labels/{kind}': { kind: 'category' },
}

/** What an address names beside an id. */
const MORE: { [Key in ListKey]?: Partial<Record<'position', number>> } = {
  'GET /api/executions/{id}/steps/{position}/items': { position: 0 },
}

/** Lists of what belongs to a record that their query names. */
const queriesOf = (ids: ListedIds): { [Key in ListKey]?: Partial<SentQuery<Api[Key]>['query']> } => ({
  'GET /api/executions': { promptId: ids.prompts },
  'GET /api/evaluations': { promptId: ids.prompts },
  'GET /api/tokens': { chainId: ids.chains },
})

/** What others offer: someone else sees it. */
const OFFERS: readonly ListKey[] = ['GET /api/chain-offers', 'GET /api/prompt-offers']

export const LISTS = listEndpoints().flatMap(([key, { list }]) =>
  list === undefined ? [] : [key as ListKey],
)

/** A call of the list, in a library that was filled, and who may make it. */
export function callOf(key: ListKey, ids: ListedIds): { url: string; as: 'owner' | 'admin' } {
  const [, noun = ''] = /^GET \/api\/([^/]+)\/\{id\}/.exec(key) ?? []
  const params = { id: ids[noun as keyof ListedIds], ...PARAMS[key as keyof typeof PARAMS], ...MORE[key] }
  const sent = { params, query: queriesOf(ids)[key] ?? {} }
  const url = addressOf(key, sent as SentQuery<Api[ListKey]>)
  const isForAdmins = key.startsWith('GET /api/admin/') || OFFERS.includes(key)
  return { url, as: isForAdmins ? 'admin' : 'owner' }
}
