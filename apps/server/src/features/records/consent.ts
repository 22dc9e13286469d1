import { FILLS_MAX, type Fill, type NamedBy, type StepSettings, type Turn } from '@catenary/contracts'
import { extractVariables, flowTemplate } from '@catenary/domain'

/** Why a private variable stands unfilled; such a reference ends the run that would send it. */
export const WITHHELD =
  'It is private, and somebody else brought its name into this text. Its owner must allow it first'

function namesIn(texts: readonly (string | null | undefined)[]): string[] {
  const names = texts.flatMap((text) => (text ? extractVariables(text) : []))
  return [...new Set(names.map((name) => name.toLowerCase()))]
}

interface Texts {
  content: string
  settings:
    | (Pick<StepSettings, 'onlyIf' | 'stop' | 'forEach' | 'ask' | 'tool'> & {
        systemPrompt?: string | null | undefined
        messages?: readonly Turn[] | undefined
      })
    | null
  /** Names that a condition or list means outputs by, where it is known which the chain has. */
  isOutput?: ((name: string) => boolean) | undefined
}

/** As `reference_names` of the database has them: without `isOutput` each name of a condition counts. */
export function textNames({ content, settings, isOutput }: Texts): string[] {
  const turns = settings?.messages ?? []
  const flow = settings === null ? '' : flowTemplate(settings, isOutput)
  return namesIn([content, settings?.systemPrompt, ...turns.map((turn) => turn.content), flow])
}

interface Save {
  before: NamedBy
  names: readonly string[]
  userId: number
  /** It came from a form that shows the text; not so a copy, an import, a push or a version from before. */
  isShown: boolean
}

/** Who brought each name in, after a save: what stood there before stays whose it was (D69). */
export function namedAfter({ before, names, userId, isShown }: Save): NamedBy {
  const own = isShown ? userId : -userId
  const by = (name: string): number => {
    const stood = Object.hasOwn(before, name) ? before[name] : undefined
    return stood === undefined || (stood === -userId && isShown) ? own : stood
  }
  return Object.fromEntries(names.map((name) => [name, by(name)]))
}

/** The same where one name replaces another in the text; if they were different people's, it counts as another's. */
export function namedAfterRename(
  before: NamedBy,
  { from, to, userId }: { from: string; to: string; userId: number },
): NamedBy {
  const [old, name] = [from.toLowerCase(), to.toLowerCase()]
  const { [old]: by = 0, ...rest } = before
  const stood = Object.hasOwn(rest, name) ? rest[name] : undefined
  return { ...rest, [name]: stood === undefined || stood === userId ? by : stood }
}

export function othersNamesOf(
  names: readonly string[],
  { namedBy, userId }: { namedBy: NamedBy; userId: number | undefined },
): string[] {
  return names.filter((name) => !Object.hasOwn(namedBy, name) || namedBy[name] !== userId)
}

export interface OthersText extends Pick<Fill, 'kind' | 'id'> {
  names: readonly string[]
}

type Fills = readonly Fill[]

/** What a person allowed: by the form that showed them the names, or on the list of a token, schedule or acceptance. */
export type Allowed = 'all' | { shown: readonly string[] } | { fills: Fills | (() => Promise<Fills>) }

export const OWN_TEXTS_ONLY: Allowed = { fills: [] }

/** For what was running before anybody was asked: it continues as it began. */
export const AS_IT_BEGAN: Allowed = 'all'

/** A person waits for the run: it is refused before it begins, with the names to allow. */
export const isShown = (allowed: Allowed): allowed is { shown: readonly string[] } =>
  typeof allowed === 'object' && 'shown' in allowed

export type WithheldName = Pick<Fill, 'name'> & { record: Pick<Fill, 'kind' | 'id'> }

declare const given: unique symbol

/** Which private values may enter a text; made by the functions below alone. */
export interface Consent {
  readonly withheld: ReadonlySet<string>
  readonly [given]: true
}

export async function findWithheld(texts: readonly OthersText[], allowed: Allowed): Promise<WithheldName[]> {
  const asked = texts.flatMap(({ kind, id, names }) => names.map((name) => ({ name, record: { kind, id } })))
  if (asked.length === 0) return []
  const isAllowed = await readAllowed(allowed)
  return asked.filter((one) => !isAllowed(one))
}

async function readAllowed(allowed: Allowed): Promise<(asked: WithheldName) => boolean> {
  if (allowed === 'all') return () => true
  if (isShown(allowed)) {
    const shown = new Set(allowed.shown.map((name) => name.toLowerCase()))
    return ({ name }) => shown.has(name)
  }
  const fills = typeof allowed.fills === 'function' ? await allowed.fills() : allowed.fills
  const pairs = new Set(fills.map(keyOfFill))
  return ({ name, record }) => pairs.has(keyOfFill({ ...record, name }))
}

export const keyOfFill = ({ kind, id, name }: Fill): string => `${kind}:${id}:${name.toLowerCase()}`

export const toFills = (fills: readonly Fill[]): Fill[] =>
  fills.slice(0, FILLS_MAX).map(({ kind, id, name }) => ({ kind, id, name: name.toLowerCase() }))

export function consentExcept(names: Iterable<string>): Consent {
  return { withheld: new Set(names) } as unknown as Consent
}

export async function consentTo(texts: readonly OthersText[], allowed: Allowed): Promise<Consent> {
  return consentExcept((await findWithheld(texts, allowed)).map(({ name }) => name))
}
