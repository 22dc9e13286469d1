import {
  type ImportChoice,
  PROMPT_SETTINGS,
  PROMPT_TITLE_MAX,
  type PromptSettings,
  type User,
} from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import { nameOfCopy } from '../../name-of-copy.ts'
import { giveSlugsIn } from '../slugs/slugs.ts'
import type { Chosen, Import, Made, Makers } from './import-types.ts'
import { IMPORTED_SETTINGS, type Incoming, isOfFolder, isSameText, type Match } from './imports.policy.ts'
import { createImport, createImportedPrompts } from './imports.repository.ts'
import { createImportedChains, createImportedSuites } from './imported-records.repository.ts'
import { sha256 } from './incoming.ts'
import { createMakeOwnRecords, type MadeChain, type MadeSuite } from './make-own-records.ts'
import { findPlaces } from './places.ts'

export interface AllMade {
  /** Null: nothing was made. */
  id: number | null
  prompts: Map<string, Made>
  chains: readonly MadeChain[]
  suites: readonly MadeSuite[]
}

/** Makes what was chosen, in the caller's transaction. */
export function createMakeImport(makers: Makers) {
  const { promptServer, suites } = makers
  const makeOwn = createMakeOwnRecords(makers)

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
      note: wanted.note ?? incoming.prompt.note,
      isActive: incoming.prompt.isActive,
      ...place(incoming),
    }))
    const ids = await makers.prompts.createManyIn(tx, { prompts: rows, user })
    await giveSlugsIn(tx, {
      kind: 'prompt',
      wanted: creating.flatMap(({ as, match: { incoming } }, index) => {
        const [id, { slug }] = [ids[index], incoming.prompt]
        return as === 'copy' || id === undefined || slug === undefined ? [] : [{ id, slug }]
      }),
    })
    return creating.flatMap(({ as, match }, index) => {
      const promptId = ids[index]
      if (promptId === undefined) return []
      return [{ match, made: { made: as, promptId, revision: 1, version: 1 } satisfies Made }]
    })
  }

  async function makeVersions(tx: Transaction, wanted: Import, chosen: readonly Chosen[]) {
    const { user, request } = wanted
    const done: { match: Match; made: Made }[] = []
    const saving = chosen.filter(({ as }) => as === 'version')
    const owned = saving.filter(({ match }) => isOfFolder(match.incoming.prompt))
    const place = await findPlaces(tx, makers, { user, request: { ...request, tag: null }, creating: owned })
    for (const { match } of saving) {
      const { existing, incoming } = match
      if (existing === undefined) continue
      const { content, note } = incoming.prompt
      const fields = isOfFolder(incoming.prompt)
        ? { ...wholeOver(match, wanted.note), ...place(incoming) }
        : { content, note, ...settingsOver(incoming.settings) }
      const saved = await makers.prompts.saveIn(tx, { id: existing.id, user, fields })
      const { revision } = saved
      // 0: only what has no versions changed, which the way back can't find again.
      const version = saved.version === existing.version ? 0 : saved.version
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

  return async (tx: Transaction, wanted: Import): Promise<AllMade> => {
    const { user, request, read, matches, own, losses, note } = wanted
    const chosen = matches.flatMap((match) => chosenOf(match, request.conflicts))
    const done = [...(await makeNew(tx, wanted, chosen)), ...(await makeVersions(tx, wanted, chosen))]
    await giveAliases(tx, done)
    await makeSuites(tx, user, done)
    const made = new Map(
      done.flatMap(({ match: { incoming }, made: { made, promptId } }) => {
        return made === 'copy' || incoming.prompt.slug === undefined ? [] : [[incoming.prompt.slug, promptId]]
      }),
    )
    const { chains, suites } = await makeOwn(tx, { user, conflicts: request.conflicts, own, made, note })
    const all = { prompts: new Map(done.map((each) => [each.match.incoming.key, each.made])), chains, suites }
    if (done.length + chains.length + suites.length === 0) return { id: null, ...all }
    const files = request.files.map(({ name, text }, index) => {
      return { name, format: read[index]?.format ?? null, hash: sha256(text) }
    })
    const kept = suites.flatMap(({ before }) => before ?? [])
    const id = await createImport(tx, { ownerId: user.id, files, losses, kept })
    await createImportedPrompts(
      tx,
      done.map((each) => ({ importId: id, hash: each.match.incoming.hash, ...each.made })),
    )
    await createImportedChains(tx, { id, chains })
    await createImportedSuites(tx, { id, suites })
    return { id, ...all }
  }
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

/** All of it: what a folder does not set is not set. */
function wholeOver({ incoming, existing }: Match, note = incoming.prompt.note) {
  const { title, content, isActive } = incoming.prompt
  const settings = Object.fromEntries(PROMPT_SETTINGS.map((name) => [name, incoming.settings[name] ?? null]))
  const isVersion =
    existing !== undefined && !(title === existing.title && isSameText(incoming, existing, PROMPT_SETTINGS))
  return { title, content, ...settings, isActive, ...(isVersion && { note }) }
}
