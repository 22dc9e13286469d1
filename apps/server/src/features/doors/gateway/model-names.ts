import { LATEST_LABEL, slug } from '@catenary/contracts'

const CHAIN_MODEL = /^(?:claude-)?chain-(\d{1,10})$/

export interface ModelName {
  chainId: number | undefined
  slug: string | undefined
  /** `latest` among them; undefined where the name has none. */
  label: string | undefined
}

/** Parses `chain-7`, `claude-chain-7@staging`, `weekly-digest@staging`, and names that mean no chain. */
export function readModelName(model: string): ModelName {
  const [name = '', label, ...rest] = model.split('@')
  const [, id] = rest.length === 0 ? (CHAIN_MODEL.exec(name) ?? []) : []
  if (id !== undefined) return { chainId: Number(id), slug: undefined, label }
  const named = rest.length === 0 ? slug.safeParse(name).data : undefined
  return { chainId: undefined, slug: named, label }
}

/** The names of a chain, or of its version of a label: one coding agent lists only those with 'claude' (D46). */
export function modelNamesOf({ id, slug, label }: { id: number; slug?: string; label?: string }): string[] {
  const names = [`chain-${id}`, `claude-chain-${id}`, ...(slug === undefined ? [] : [slug])]
  return label === undefined ? names : names.map((name) => `${name}@${label}`)
}

/** As a reply names it: as it was asked for by its number, else by its number. */
export function nameOfChain({
  id,
  label,
  asked,
}: {
  id: number
  label: string | null
  asked: string
}): string {
  if (readModelName(asked).chainId !== undefined) return asked
  const [name = ''] = modelNamesOf({ id, ...(label !== null && { label }) })
  return name
}

/** The label whose version runs, or null for the chain as it is; undefined where a token's own label forbids the one that is asked for. */
export function labelToRun({
  asked,
  own,
}: {
  asked: string | undefined
  own: string | null
}): string | null | undefined {
  if (asked === undefined || asked === own) return own
  if (own !== null) return undefined
  return asked === LATEST_LABEL ? null : asked
}
