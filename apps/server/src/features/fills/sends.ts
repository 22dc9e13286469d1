import { ASKED_SENDS_MAX, type AskedSend, type KeptSend, SENDS_MAX, type User } from '@catenary/contracts'
import { AppError } from '../../errors.ts'
import { type Context, slot } from '../../platform/context.ts'
import { listAcceptedSends } from './fills.sql.ts'
import { listSendingChains } from './sending-chains.sql.ts'

/** More chains that take values to others are not looked at for one list: they say where they would go as they run. */
const LOOKED_AT_MAX = 50

interface OfChain {
  chainId: number
  label?: string | null
  user: User
}

/** Where a run of a chain would take its runner's private values, which the engine knows. */
export const askedSendsSlot = slot<{ list: (ctx: Context, of: OfChain) => Promise<AskedSend[]> }>()

const keyOf = ({ chainId, destination }: KeptSend): string => `${chainId} ${destination}`

export function toSends(sends: readonly KeptSend[]): KeptSend[] {
  const byKey = new Map(
    sends.map(({ chainId, destination }) => [keyOf({ chainId, destination }), { chainId, destination }]),
  )
  return [...byKey.values()].slice(0, SENDS_MAX)
}

/** Those of one chain, as its run takes them. */
export const destinationsFor = (chainId: number, sends: readonly KeptSend[]): string[] =>
  sends.flatMap((send) => (send.chainId === chainId ? [send.destination] : []))

interface Allowing {
  userId: number
  sends: readonly KeptSend[]
  includesAllChains: boolean
}

/** What a token allows in runs of a chain: on the token, and for what it reaches as accepted with the acceptance. */
export async function sendsFor(
  { db }: Pick<Context, 'db'>,
  { userId, sends, includesAllChains, chainId }: Allowing & { chainId: number },
): Promise<string[]> {
  const accepted = includesAllChains ? await listAcceptedSends(db, userId) : []
  return destinationsFor(chainId, [...sends, ...accepted])
}

interface Starter {
  chainIds: readonly number[]
  allChains?: boolean
  /** Of one chain: the label whose version runs. */
  label?: string | null
  sends: readonly KeptSend[]
}

type Unsent<Send> = Send extends AskedSend ? Omit<Send, 'isConfirmed'> : never
export type UnsentSend = Unsent<AskedSend>

/** Where chains would take private values and that was not allowed, for each token, schedule or offer. */
export async function listUnsent(
  ctx: Context,
  { user, of }: { user: User; of: readonly Starter[] },
): Promise<UnsentSend[][]> {
  const named = [...new Set(of.flatMap(({ chainIds }) => chainIds))]
  const ofOwn = of.some(({ allChains }) => allChains === true)
  // In a transaction, which may hold the only session, no chain is opened: a refusal shows its record without them.
  const isInside = ctx.db !== ctx.app.db
  if (isInside || (named.length === 0 && !ofOwn)) return of.map(() => [])
  const sending = await listSendingChains(ctx.db, { userId: user.id, chainIds: named, ofOwn })
  const found = new Map<string, Promise<AskedSend[]>>()
  const read = (chainId: number, label: string | null) => {
    const key = `${chainId} ${label ?? ''}`
    const known = found.get(key)
    if (known !== undefined || found.size >= LOOKED_AT_MAX) return known ?? []
    const sends = askedSendsSlot.of(ctx).list(ctx, { chainId, label, user }).catch(nothingToRun)
    found.set(key, sends)
    return sends
  }
  const unsent: UnsentSend[][] = []
  for (const { chainIds, allChains = false, label = null, sends } of of) {
    const allowed = new Set(sends.map(keyOf))
    const asked: UnsentSend[] = []
    for (const { id, isOwn } of sending) {
      if (!chainIds.includes(id) && !(allChains && isOwn)) continue
      for (const { isConfirmed: _, ...send } of await read(id, label)) {
        if (!allowed.has(keyOf(send))) asked.push(send)
      }
    }
    unsent.push(asked.slice(0, ASKED_SENDS_MAX))
  }
  return unsent
}

/** A chain that can't be run takes nothing anywhere. */
function nothingToRun(error: unknown): AskedSend[] {
  if (error instanceof AppError) return []
  throw error
}
