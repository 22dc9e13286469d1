import {
  type ImportChoice,
  type importRequest,
  PROMPT_TITLE_MAX,
  type PromptSettings,
  type User,
} from '@catenary/contracts'
import type { LossDraft, ReadFile } from '@catenary/domain/imports'
import type * as z from 'zod'
import type { Transaction } from '../../db/executor.ts'
import { nameOfCopy } from '../../name-of-copy.ts'
import type { CategoriesService } from '../categories/categories.ts'
import type { PromptServerService } from '../prompt-server/prompt-server.ts'
import type { PromptsService } from '../prompts/prompts.ts'
import type { TagsService } from '../tags/tags.ts'
import type { TestSuitesService } from '../test-suites/test-suites.ts'
import { IMPORTED_SETTINGS, type Incoming, type Match } from './imports.policy.ts'
import { createImport, createImportedPrompts } from './imports.repository.ts'
import { sha256 } from './incoming.ts'

/** What creates, changes and deletes the records. */
export interface Makers {
  categories: Pick<CategoriesService, 'idOf'>
  prompts: Pick<PromptsService, 'createManyIn' | 'saveIn' | 'deleteManyIn' | 'port'>
  promptServer: Pick<PromptServerService, 'giveAliasesIn'>
  suites: Pick<TestSuitesService, 'createIn'>
  tags: Pick<TagsService, 'idsOf'>
}

export interface Made {
  made: 'new' | 'version' | 'copy'
  promptId: number
  revision: number
  version: number
}

interface Import {
  user: User
  request: z.output<typeof importRequest>
  read: readonly ReadFile[]
  matches: readonly Match[]
  /** Aliases of others. */
  taken: ReadonlySet<string>
  losses: LossDraft[]
}

const DEFAULT_CATEGORY = 'General'

/** Makes what was chosen, in the caller's transaction. */
export function createMakeImport(makers: Makers) {
  const { categories, promptServer, suites } = makers

  async function makeNew(tx: Transaction, wanted: Import, chosen: readonly Chosen[]) {
    const { user, request } = wanted
    // The library shows what was made last first.
    const creating = chosen.filter(({ as }) => as !== 'version').toReversed()
    if (creating.length === 0) return []
    const place = await findPlaces(tx, makers, { user, request, creating })
    const rows = creating.map(({ as, match: { incoming } }) => ({
      ...incoming.settings,
      title: as === 'copy' ? nameOfCopy(incoming.prompt.title, PROMPT_TITLE_MAX) : incoming.prompt.title,
      content: incoming.prompt.content,
      note: incoming.prompt.note,
      ...place(incoming),
    }))
    const ids = await makers.prompts.createManyIn(tx, { prompts: rows, user })
    return creating.flatMap(({ as, match }, index) => {
      const promptId = ids[index]
      if (promptId === undefined) return []
      return [{ match, made: { made: as, promptId, revision: 1, version: 1 } satisfies Made }]
    })
  }

  async function makeVersions(tx: Transaction, { user }: Import, chosen: readonly Chosen[]) {
    const done: { match: Match; made: Made }[] = []
    for (const { match } of chosen.filter(({ as }) => as === 'version')) {
      const { existing, incoming } = match
      if (existing === undefined) continue
      const { content, note } = incoming.prompt
      const fields = { content, note, ...settingsOver(incoming.settings) }
      const saved = await makers.prompts.saveIn(tx, { id: existing.id, user, fields })
      const { revision, version } = saved
      done.push({ match, made: { made: 'version', promptId: existing.id, revision, version } })
    }
    return done
  }

  /** Not where it was given to another prompt meanwhile. */
  async function giveAliases(tx: Transaction, done: readonly { match: Match; made: Made }[]): Promise<void> {
    const rows = done.flatMap(({ match, made }) => {
      const { alias } = match.incoming.prompt
      return alias === undefined ? [] : [{ alias, promptId: made.promptId }]
    })
    if (rows.length > 0) await promptServer.giveAliasesIn(tx, rows)
  }

  async function makeSuites(tx: Transaction, user: User, done: readonly { match: Match; made: Made }[]) {
    for (const { match, made } of done) {
      const { suite } = match.incoming.prompt
      if (suite === undefined || made.made === 'version') continue
      const { name, cases, ...file } = suite
      await suites.createIn(tx, { kind: 'prompt', id: made.promptId, user, name, cases, file })
    }
  }

  return async (tx: Transaction, wanted: Import): Promise<{ id: number | null; made: Map<string, Made> }> => {
    const { user, request, read, matches, losses } = wanted
    const chosen = matches.flatMap((match) => chosenOf(match, request.conflicts))
    if (chosen.length === 0) return { id: null, made: new Map() }
    const done = [...(await makeNew(tx, wanted, chosen)), ...(await makeVersions(tx, wanted, chosen))]
    await giveAliases(tx, done)
    await makeSuites(tx, user, done)
    const files = request.files.map(({ name, text }, index) => {
      return { name, format: read[index]?.format ?? null, hash: sha256(text) }
    })
    const id = await createImport(tx, { ownerId: user.id, files, losses })
    await createImportedPrompts(
      tx,
      done.map(({ match, made }) => ({ importId: id, hash: match.incoming.hash, ...made })),
    )
    return { id, made: new Map(done.map(({ match, made }) => [match.incoming.key, made])) }
  }

  async function findPlaces(
    tx: Transaction,
    { tags }: Makers,
    { user, request, creating }: { user: User; request: Import['request']; creating: readonly Chosen[] },
  ) {
    const prompts = creating.map(({ match }) => match.incoming.prompt)
    const own = request.tag == null ? [] : [request.tag]
    const names = [...new Set([...own, ...prompts.flatMap((prompt) => prompt.tags)])]
    const tagIds = await tags.idsOf(tx, { kind: 'prompt', names, user })
    const named = new Map<string | undefined, number>()
    for (const name of [...new Set(prompts.map(({ category }) => category))].sort()) {
      const isGiven = name === undefined && request.categoryId !== undefined
      const id = isGiven
        ? request.categoryId
        : await categories.idOf(tx, { name: name ?? DEFAULT_CATEGORY, user })
      if (id !== undefined) named.set(name, id)
    }
    return ({ prompt: { tags: wanted, category } }: Incoming) => ({
      categoryId: named.get(category) ?? 0,
      tagIds: [...own, ...wanted].flatMap((name) => tagIds.get(name.toLowerCase()) ?? []),
    })
  }
}

interface Chosen {
  match: Match
  as: Made['made']
}

/** What is to be made of it: nothing, or one prompt or version. */
export function chosenOf(match: Match, { all, items }: Import['request']['conflicts']): Chosen[] {
  if (match.state === 'new') return [{ match, as: 'new' }]
  if (match.state === 'same') return []
  const { key } = match.incoming
  const choice: ImportChoice = Object.hasOwn(items, key) ? (items[key] ?? all) : all
  return choice === 'skip' ? [] : [{ match, as: choice }]
}

/** What the file does not set is not set, but for the model: a prompt without one keeps its own. */
function settingsOver(settings: PromptSettings) {
  const over = Object.fromEntries(IMPORTED_SETTINGS.map((name) => [name, settings[name] ?? null]))
  return settings.model === undefined ? over : { ...over, model: settings.model }
}
