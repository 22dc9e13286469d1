import { LATEST_LABEL, MAX_ID, type Prompt, tidyName, type User } from '@catenary/contracts'
import { AppError, ifNotFound, isNotFound } from '../../../errors.ts'
import { readThroughCache } from '../../../platform/cache/read-through-cache.ts'
import { type Context, onePerApp, type SqlContext } from '../../../platform/context.ts'
import { readPrompt } from '../../prompts/prompts.ts'
import {
  findPromptVersion,
  type OthersText,
  othersNamesOf,
  promptSettingsOf,
  textNames,
} from '../../records/records.ts'
import { canReadVersion } from './prompt-server.policy.ts'
import {
  findPromptOfAll,
  findServedVersion,
  preparePromptOfName,
  type ServedVersion,
} from './served-versions.sql.ts'

/** The label that is meant where none is named, as long as the prompt has it. */
const DEFAULT_LABEL = 'production'
/** In UTF-16 units of the versions that are kept in memory, and about what one takes beside its text. */
const CHARACTERS_KEPT = 8_000_000
const VERSION_OVERHEAD = 500
/** Of prompts, each of which a name that is kept depends on. */
const NAMES_KEPT = 100_000

/** Which version: undefined for `production`, else the newest. */
export type VersionChoice = { label: string } | { version: number } | undefined

export interface NamedVersion {
  prompt: Prompt
  version: ServedVersion
  /** The label by which it was found; null: by its number. */
  label: string | null
}

interface Wanted {
  /** Whose rights count, and which prompts are within reach. */
  grant: { user: User; includesAllPrompts: boolean; promptIds: number[]; tokenId: number }
  name: string
  choice: VersionChoice
}

interface WantedById {
  user: User
  id: number
  choice: VersionChoice
}

// Each prompt within reach may take the name from another.
const idsByName = onePerApp(({ db, rowChanges }) => {
  const findByName = preparePromptOfName(db)
  return readThroughCache({
    rowChanges,
    keyOf: ({ tokenId, name }) => JSON.stringify([tokenId, name]),
    load: async ({ promptIds, user, tokenId, name }: Wanted['grant'] & { name: string }) => {
      const id = await findByName({ name, userId: user.id, promptIds })
      return id === undefined ? undefined : { id, promptIds, tokenId, userId: user.id }
    },
    rowsOf: ({ promptIds, tokenId, userId }) => [
      `api_tokens:${tokenId}`,
      `users:${userId}`,
      ...promptIds.map((promptId) => `prompts:${promptId}` as const),
    ],
    sizeOf: ({ promptIds }) => promptIds.length,
    capacity: NAMES_KEPT,
  })
})

const versions = onePerApp((ctx) =>
  readThroughCache({
    rowChanges: ctx.rowChanges,
    keyOf: ({ promptId, choice }) => JSON.stringify([promptId, choice]),
    load: ({ promptId, choice }: { promptId: number; choice: VersionChoice }) =>
      choice === undefined ? loadDefault(ctx, promptId) : loadVersion(ctx, { promptId, choice }),
    rowsOf: ({ promptId }) => [`prompts:${promptId}`],
    capacity: CHARACTERS_KEPT,
    sizeOf: ({ version }) => version.content.length + VERSION_OVERHEAD,
  }),
)

async function loadVersion(
  { db }: SqlContext,
  { promptId, choice }: { promptId: number; choice: NonNullable<VersionChoice> },
) {
  const found = await findPromptVersion({ db }, { promptId, ...choice })
  const version = await findServedVersion(db, { promptId, ...found, settings: promptSettingsOf(found) })
  return { promptId, version, label: 'label' in choice ? choice.label : null }
}

async function loadDefault(ctx: SqlContext, promptId: number) {
  try {
    return await loadVersion(ctx, { promptId, choice: { label: DEFAULT_LABEL } })
  } catch (error) {
    if (!isNotFound(error)) throw error
    return loadVersion(ctx, { promptId, choice: { label: LATEST_LABEL } })
  }
}

/** Prompts by the names that programs have for them. Throws one `not_found` for a prompt out of reach, and for a label or version that it does not have. */
export const findNamedPrompt = (ctx: Context, wanted: Wanted): Promise<NamedVersion> =>
  orNotFound(findWithin(ctx, wanted), wanted)

/** The same of a prompt that the caller knows to be within reach. */
export const findNamedPromptById = (ctx: Context, wanted: WantedById): Promise<NamedVersion> =>
  orNotFound(findById(ctx, wanted), { name: `${wanted.id}`, choice: wanted.choice })

async function findWithin(ctx: Context, { grant, name, choice }: Wanted): Promise<NamedVersion | undefined> {
  const id = await findIdWithin(ctx, { grant, name: isId(name) ? Number(name) : tidyName(name) })
  if (id === undefined) return undefined
  return findById(ctx, { user: grant.user, id, choice })
}

async function findIdWithin(
  ctx: Context,
  { grant, name }: { grant: Wanted['grant']; name: number | string },
): Promise<number | undefined> {
  const { user, includesAllPrompts, promptIds } = grant
  if (includesAllPrompts) {
    const wanted = typeof name === 'number' ? { id: name } : { name }
    return findPromptOfAll(ctx.db, { userId: user.id, ...wanted })
  }
  const id = typeof name === 'number' ? name : (await idsByName(ctx)({ ...grant, name }))?.id
  return id !== undefined && promptIds.includes(id) ? id : undefined
}

async function findById(ctx: Context, { user, id, choice }: WantedById): Promise<NamedVersion | undefined> {
  const prompt = await readPrompt(ctx, { id, user })
  const { version, label } = await versions(ctx)({ promptId: id, choice })
  return canReadVersion(prompt, version) ? { prompt, version, label } : undefined
}

async function orNotFound(
  finding: Promise<NamedVersion | undefined>,
  wanted: Pick<Wanted, 'name' | 'choice'>,
): Promise<NamedVersion> {
  const found = await finding.catch(ifNotFound)
  if (found === undefined) throw new AppError('not_found', `Prompt not found: ${describe(wanted)}`)
  return found
}

/** `3` is a version, anything else a label. */
export function readChoice(text: string | undefined): VersionChoice {
  if (text === undefined) return undefined
  return isId(text) ? { version: Number(text) } : { label: text }
}

const isId = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_ID

function describe({ name, choice }: Pick<Wanted, 'name' | 'choice'>): string {
  if (choice === undefined) return `'${name}'`
  return 'label' in choice
    ? `'${name}' with label '${choice.label}'`
    : `'${name}' with version ${choice.version}`
}

/** What of a version its reader did not bring in. */
export function othersTextOf({
  prompt: { id },
  version,
  user,
}: {
  prompt: Pick<NamedVersion['prompt'], 'id'>
  version: Pick<NamedVersion['version'], 'content' | 'settings' | 'namedBy'>
  user: User
}): OthersText {
  const { namedBy } = version
  return { kind: 'prompt', id, names: othersNamesOf(textNames(version), { namedBy, userId: user.id }) }
}
