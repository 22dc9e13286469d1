import type { ImportChoice, User } from '@catenary/contracts'
import type { Transaction } from '../../database/statements/executor.ts'
import type { Context } from '../../platform/context.ts'
import { giveAliases } from '../prompts/prompts.ts'
import { createFilledSuite } from '../test-suites/test-suites.ts'
import type { Chosen, Import, Made } from './import-types.ts'
import { insertImportedChains, insertImportedSuites } from './imported-records.sql.ts'
import { canBeAlias, type Match } from './imports.policy.ts'
import { insertImport, insertImportedPrompts } from './imports.sql.ts'
import { sha256 } from './incoming.ts'
import { type MadeChain, type MadeSuite, makeOwnRecords } from './make-own-records.ts'
import { makeNew, makeVersions } from './make-prompts.ts'
import { makeSkills } from './prompt-skills.ts'

export interface AllMade {
  id: number | null
  prompts: Map<string, Made>
  aliases: ReadonlySet<string>
  chains: readonly MadeChain[]
  suites: readonly MadeSuite[]
}

export async function makeImport(ctx: Context<Transaction>, wanted: Import): Promise<AllMade> {
  const { db } = ctx
  const { user, request, read, matches, own, losses, note, isPushed } = wanted
  const chosen = matches.flatMap((match) => chosenOf(match, request.conflicts))
  const done = [...(await makeNew(ctx, { wanted, chosen })), ...(await makeVersions(ctx, { wanted, chosen }))]
  const aliases = await answerToAliases(ctx, done)
  await makeSuites(ctx, user, done)
  const made = new Map(
    done.flatMap(({ match: { incoming }, made: { made: as, promptId: id } }) => {
      const { slug } = incoming.prompt
      return as === 'copy' || slug === undefined ? [] : [[slug, { id, isNew: as === 'new' }] as const]
    }),
  )
  await makeSkills(ctx, { user, done, made, asSkills: request.asSkills })
  const { conflicts } = request
  const { chains, suites } = await makeOwnRecords(ctx, { user, conflicts, own, made, note })
  const prompts = new Map(done.map((each) => [each.match.incoming.key, each.made]))
  const all = { prompts, aliases, chains, suites }
  if (done.length + chains.length + suites.length === 0) return { id: null, ...all }
  const files = request.files.map(({ name, text }, index) => {
    const file = { name, format: read[index]?.format ?? null, hash: sha256(text) }
    return isPushed ? { ...file, isPushed } : file
  })
  const kept = suites.flatMap(({ before }) => before ?? [])
  const id = await insertImport(db, { ownerId: user.id, files, losses, kept })
  await insertImportedPrompts(
    db,
    done.map((each) => ({ importId: id, hash: each.match.incoming.hash, ...each.made })),
  )
  await insertImportedChains(db, { id, chains })
  await insertImportedSuites(db, { id, suites })
  return { id, ...all }
}

type Done = readonly { match: Match; made: Made }[]

/** Without those that another prompt was given meanwhile. Returns those by which the prompts answer. */
async function answerToAliases(ctx: Context<Transaction>, done: Done): Promise<Set<string>> {
  const rows = done.flatMap(({ match, made }) => {
    const { alias } = match.incoming.prompt
    return alias === undefined || !canBeAlias(alias) ? [] : [{ alias, promptId: made.promptId }]
  })
  const given = rows.length === 0 ? [] : await giveAliases(ctx, rows)
  const had = done.flatMap(({ match, made }) =>
    made.made === 'version' ? (match.existing?.aliases ?? []) : [],
  )
  return new Set([...given, ...had])
}

async function makeSuites(ctx: Context<Transaction>, user: User, done: Done): Promise<void> {
  for (const { match, made } of done) {
    const { suite } = match.incoming.prompt
    if (suite === undefined || made.made === 'version') continue
    const { name, cases, ...file } = suite
    await createFilledSuite(ctx, { kind: 'prompt', id: made.promptId, user, name, cases, file })
  }
}

export function chosenOf(match: Match, { all, items }: Import['request']['conflicts']): Chosen[] {
  if (match.state === 'new') return [{ match, as: 'new' }]
  if (match.state === 'same') return []
  const { key } = match.incoming
  const choice: ImportChoice = Object.hasOwn(items, key) ? (items[key] ?? all) : all
  return choice === 'skip' ? [] : [{ match, as: choice }]
}
