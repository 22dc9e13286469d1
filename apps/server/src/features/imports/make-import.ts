import type { ImportChoice, User } from '@catenary/contracts'
import type { Transaction } from '../../db/executor.ts'
import type { Chosen, Import, Made, Makers } from './import-types.ts'
import { createImportedChains, createImportedSuites } from './imported-records.repository.ts'
import { canBeAlias, type Match } from './imports.policy.ts'
import { createImport, createImportedPrompts } from './imports.repository.ts'
import { sha256 } from './incoming.ts'
import { createMakeOwnRecords, type MadeChain, type MadeSuite } from './make-own-records.ts'
import { makeNew, makeVersions } from './make-prompts.ts'
import { makeSkills } from './prompt-skills.ts'

export interface AllMade {
  /** Null: nothing was made. */
  id: number | null
  prompts: Map<string, Made>
  /** Names from elsewhere by which they answer. */
  aliases: ReadonlySet<string>
  chains: readonly MadeChain[]
  suites: readonly MadeSuite[]
}

/** Makes what was chosen, in the caller's transaction. */
export function createMakeImport(makers: Makers) {
  const { promptServer, suites } = makers
  const makeOwn = createMakeOwnRecords(makers)

  /** Not where it was given to another prompt meanwhile; those by which the prompts answer. */
  async function giveAliases(
    tx: Transaction,
    done: readonly { match: Match; made: Made }[],
  ): Promise<Set<string>> {
    const rows = done.flatMap(({ match, made }) => {
      const { alias } = match.incoming.prompt
      return alias === undefined || !canBeAlias(alias) ? [] : [{ alias, promptId: made.promptId }]
    })
    const given = rows.length === 0 ? [] : await promptServer.giveAliasesIn(tx, rows)
    const had = done.flatMap(({ match, made }) =>
      made.made === 'version' ? (match.existing?.aliases ?? []) : [],
    )
    return new Set([...given, ...had])
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
    const { user, request, read, matches, own, losses, note, isPushed } = wanted
    const chosen = matches.flatMap((match) => chosenOf(match, request.conflicts))
    const done = [
      ...(await makeNew(tx, { makers, wanted, chosen })),
      ...(await makeVersions(tx, { makers, wanted, chosen })),
    ]
    const aliases = await giveAliases(tx, done)
    await makeSuites(tx, user, done)
    const made = new Map(
      done.flatMap(({ match: { incoming }, made: { made: as, promptId: id } }) => {
        const { slug } = incoming.prompt
        return as === 'copy' || slug === undefined ? [] : [[slug, { id, isNew: as === 'new' }] as const]
      }),
    )
    await makeSkills(tx, { skills: makers.skills, user, done, made, asSkills: request.asSkills })
    const { chains, suites } = await makeOwn(tx, { user, conflicts: request.conflicts, own, made, note })
    const prompts = new Map(done.map((each) => [each.match.incoming.key, each.made]))
    const all = { prompts, aliases, chains, suites }
    if (done.length + chains.length + suites.length === 0) return { id: null, ...all }
    const files = request.files.map(({ name, text }, index) => {
      const file = { name, format: read[index]?.format ?? null, hash: sha256(text) }
      return isPushed ? { ...file, isPushed } : file
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
