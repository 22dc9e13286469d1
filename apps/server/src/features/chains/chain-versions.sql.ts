import {
  CHAIN_VERSIONS_BYTES,
  CHAIN_VERSIONS_KEPT,
  type ChainVersion,
  LIST_BYTES_MAX,
  LIST_TEXT_MAX,
  type ListedChainVersion,
  type StepSettings,
} from '@catenary/contracts'
import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { toSnakeCase } from 'drizzle-orm/casing'
import {
  chainLabels,
  chainSteps,
  chains,
  chainVersions,
  promptLabels,
  promptVersions,
  users,
} from '../../database/schema/index.ts'
import type { Executor } from '../../database/statements/executor.ts'
import { NOTE_NOTHING } from '../../database/statements/note-nothing.ts'
import { withKeptSettings } from '../records/records.ts'
import {
  type ChainFields,
  chainSearchColumns,
  flowOfLong,
  type ListedStepRecord,
  nextRevision,
  stepColumns,
  stepsInOrder,
} from './chain-rows.sql.ts'

interface Saved {
  authorId: number
  note?: string | undefined
}

const stepEntries = Object.entries(stepColumns)

const columnEntries = stepEntries.filter(([key]) => key !== 'settings')
/** As text, since the order of a schema's fields counts; absent where nothing is set, as in versions from before. */
const keptSettings = sql`case when ${chainSteps.settings} is null then '{}' else jsonb_build_object('settings', ${chainSteps.settings}::text) end`

const keptStep = sql`jsonb_build_object(${sql.join(
  columnEntries.map(([key, column]) => sql`${sql.raw(`'${key}'`)}, ${column}`),
  sql`, `,
)}) || ${keptSettings}`

const stepBytes = sql`octet_length(${chainSteps.title}) + octet_length(${chainSteps.content}) + coalesce(octet_length(${chainSteps.systemPrompt}), 0) + coalesce(octet_length(${chainSteps.settings}::text), 0)`

const stepNamesBy = sql`coalesce(jsonb_object_agg(${chainSteps.id}, ${chainSteps.namedBy}), '{}')`

/** Keeps the chain, with these fields of the same statement, as a version, unless the current one is equal. */
function keepingVersion({
  id,
  authorId,
  note = '',
  ...fields
}: Partial<ChainFields> & Saved & { id: number }) {
  const name = fields.name === undefined ? sql`${chains.name}` : sql`${fields.name}::text`
  const description =
    fields.description === undefined ? sql`${chains.description}` : sql`${fields.description}::text`
  const stopsWithoutValue =
    fields.stopsWithoutValue === undefined
      ? sql`${chains.stopsWithoutValue}`
      : sql`${fields.stopsWithoutValue}::stops_without_value`
  const stopsWhenCut =
    fields.stopsWhenCut === undefined
      ? sql`${chains.stopsWhenCut}`
      : sql`${fields.stopsWhenCut}::stops_when_cut`
  return sql`
    with content as (
      select ${chains.id} as chain_id, ${chains.version} as version, ${name} as name, ${description} as description,
        ${stopsWithoutValue} as stops_without_value, ${stopsWhenCut} as stops_when_cut, counted.steps as step_count, counted.bytes as step_bytes,
        octet_length(${name}) + octet_length(${description}) + counted.bytes as bytes
      from ${chains} cross join lateral (
        select count(*) as steps, coalesce(sum(${stepBytes}), 0) as bytes
        from ${chainSteps} where ${chainSteps.chainId} = ${chains.id}
      ) as counted
      where ${chains.id} = ${id}
    )
    insert into ${chainVersions}
      (chain_id, number, name, description, stops_without_value, stops_when_cut, steps, named_by, step_count, bytes, note, author_id)
    select content.chain_id, case when latest.id is null then content.version else content.version + 1 end, content.name,
      content.description, content.stops_without_value, content.stops_when_cut, kept.steps, kept.named_by, content.step_count, content.bytes, ${note}::text, ${authorId}::integer
    from content
    cross join lateral (
      select coalesce(jsonb_agg(${keptStep} order by ${sql.join(stepsInOrder, sql`, `)}), '[]') as steps, ${stepNamesBy} as named_by
      from ${chainSteps} where ${chainSteps.chainId} = content.chain_id
    ) as kept
    left join ${chainVersions} as latest on latest.chain_id = content.chain_id and latest.number = content.version
    where content.step_bytes <= ${CHAIN_VERSIONS_BYTES} and (
      latest.id is null
      or (latest.name, latest.description, latest.stops_without_value, latest.stops_when_cut, latest.steps)
        is distinct from
          (content.name, content.description, content.stops_without_value, content.stops_when_cut, kept.steps)
    )
    returning number`
}

export async function insertChainVersion(
  db: Executor,
  { chainId, authorId }: { chainId: number; authorId: number },
): Promise<void> {
  await db.execute(keepingVersion({ id: chainId, authorId }))
}

/** Ends the oldest versions beyond what is kept of a chain; never the current one, nor one that a label points to. */
function endingOldest(chainId: number): SQL {
  return sql`
    delete from ${chainVersions} where ${chainVersions.chainId} = ${chainId} and exists (select from made)
      and ${sql.raw(NOTE_NOTHING)}
      and ${chainVersions.number} in (
        select number from (
          select number, row_number() over newest as place, sum(bytes) over newest as together
          from ${chainVersions} where ${chainVersions.chainId} = ${chainId} window newest as (order by number desc)
        ) as kept
        where place >= ${CHAIN_VERSIONS_KEPT} or together > ${CHAIN_VERSIONS_BYTES}
      )
      and ${chainVersions.number} <> (select ${chains.version} from ${chains} where ${chains.id} = ${chainId})
      and not exists (
        select from ${chainLabels}
        where ${chainLabels.recordId} = ${chainId} and ${chainLabels.version} = ${chainVersions.number}
      )`
}

export interface SavedChain {
  version: number
  /** Its texts are more than a version keeps: there is no new one. */
  isTooLarge: boolean
}

/** A new revision, and a new version if something changed that versions keep. */
export async function saveChainRow(
  db: Executor,
  { id, authorId, note, ...fields }: Partial<ChainFields> & Saved & { id: number },
): Promise<SavedChain> {
  const made = db.$with('made', {}).as(keepingVersion({ id, authorId, note, ...fields }))
  const ended = db.$with('ended', {}).as(endingOldest(id))
  const [saved] = await db
    .with(made, ended)
    .update(chains)
    .set({
      ...fields,
      ...chainSearchColumns(fields),
      version: sql`coalesce((select number from made), ${chains.version})`,
      ...nextRevision,
    })
    .where(eq(chains.id, id))
    .returning({
      version: chains.version,
      isTooLarge: sql<boolean>`(
        select coalesce(sum(${stepBytes}), 0) > ${CHAIN_VERSIONS_BYTES} from ${chainSteps} where ${chainSteps.chainId} = ${id}
      )`,
    })
  if (saved === undefined) throw new Error(`There is no chain ${id}`)
  await keepNames(db, { id, number: saved.version })
  return saved
}

/** The version is unchanged, but a form has shown its names since: they are the person's own from now on (D69). */
async function keepNames(db: Executor, version: Wanted): Promise<void> {
  const { namedBy } = chainVersions
  const names = sql`(select ${stepNamesBy} from ${chainSteps} where ${chainSteps.chainId} = ${version.id})`
  await db
    .update(chainVersions)
    .set({ namedBy: names })
    .where(and(isVersion(version), sql`${namedBy} <> ${names}`))
}

const listedColumns = {
  number: chainVersions.number,
  name: chainVersions.name,
  note: chainVersions.note,
  author: users.displayUsername,
  createdAt: chainVersions.createdAt,
}

export async function listChainVersionRows(
  db: Executor,
  { id, before, limit }: { id: number; before: number | undefined; limit: number },
): Promise<ListedChainVersion[]> {
  const rows = await db
    .select({ ...listedColumns, stepCount: chainVersions.stepCount })
    .from(chainVersions)
    .leftJoin(users, eq(users.id, chainVersions.authorId))
    .where(and(eq(chainVersions.chainId, id), before ? lt(chainVersions.number, before) : undefined))
    .orderBy(desc(chainVersions.number))
    .limit(limit)
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
}

interface Wanted {
  id: number
  number: number
}

const isVersion = ({ id, number }: Wanted) =>
  and(eq(chainVersions.chainId, id), eq(chainVersions.number, number))

const clipOfText = (key: 'content' | 'systemPrompt') =>
  sql.raw(
    `'${key}', left(step ->> '${key}', ${LIST_TEXT_MAX}), '${key}Length', char_length(step ->> '${key}')`,
  )

type FoundVersion = Omit<ChainVersion, 'steps'> & { steps: ListedStepRecord[] }
type KeptRow = Omit<ListedStepRecord, 'namedBy' | keyof StepSettings> & { settings?: string }

/** With the whole texts of its steps, or their beginnings if they are too much for one reply. */
export async function findOptionalChainVersion(
  db: Executor,
  wanted: Wanted,
): Promise<FoundVersion | undefined> {
  const { bytes, steps, description, stopsWithoutValue, stopsWhenCut } = chainVersions
  const clipped = sql`(
    select jsonb_agg(
      case when length(step ->> 'settings') > ${LIST_TEXT_MAX} then step || jsonb_build_object('isSettingsLong', true, 'settings', ${flowOfLong(sql`(step ->> 'settings')::json`)}::text) else step end
      || jsonb_build_object(${clipOfText('content')}, ${clipOfText('systemPrompt')}) order by place
    )
    from jsonb_array_elements(${steps}) with ordinality as kept (step, place)
  )`
  const [found] = await db
    .select({
      ...listedColumns,
      description,
      stopsWithoutValue,
      stopsWhenCut,
      namedBy: chainVersions.namedBy,
      steps: sql<KeptRow[]>`case when ${bytes} < ${LIST_BYTES_MAX} then ${steps} else ${clipped} end`,
    })
    .from(chainVersions)
    .leftJoin(users, eq(users.id, chainVersions.authorId))
    .where(isVersion(wanted))
  if (found === undefined) return undefined
  const { namedBy, ...version } = found
  const withNames = found.steps.map((step) => ({
    ...withKeptSettings(step),
    namedBy: namedBy[step.id] ?? {},
  }))
  return { ...version, steps: withNames, createdAt: found.createdAt.toISOString() }
}

export async function findOptionalVersionSettings(db: Executor, wanted: Wanted) {
  const { name, description, stopsWithoutValue, stopsWhenCut, steps } = chainVersions
  const [found] = await db
    .select({
      settings: { name, description, stopsWithoutValue, stopsWhenCut },
      promptIds: sql<number[]>`array(
        select (step ->> 'promptId')::integer from jsonb_array_elements(${steps}) as step where step ->> 'promptId' is not null
      )`,
    })
    .from(chainVersions)
    .where(isVersion(wanted))
  return found
}

const stepNames = sql.join(
  stepEntries.map(([key]) => sql.identifier(toSnakeCase(key))),
  sql`, `,
)
const stepFields = sql.join(
  stepEntries.map(
    ([key, column]) =>
      sql`${sql.identifier(key)} ${sql.raw(key === 'settings' ? 'text' : column.getSQLType())}`,
  ),
  sql`, `,
)

/**
 * Replaces the chain's steps by those of a version, with the ids that they had; of their links only those to the
 * given prompts whose label or version still exists.
 */
export async function restoreSteps(
  db: Executor,
  { promptIds, userId, ...version }: Wanted & { promptIds: number[]; userId: number },
): Promise<void> {
  const [promptId, label, number] = [sql`step."promptId"`, sql`step."promptLabel"`, sql`step."promptVersion"`]
  const hasLabel = sql`exists (
    select from ${promptLabels} where ${promptLabels.recordId} = ${promptId} and ${promptLabels.label} = ${label}
  )`
  const hasVersion = sql`exists (
    select from ${promptVersions} where ${promptVersions.promptId} = ${promptId} and ${promptVersions.number} = ${number}
  )`
  const kept = sql`case when ${promptId} = any(${sql.param(promptIds)}::integer[])
    and (${label} is null or ${hasLabel}) and (${number} is null or ${hasVersion}) then ${promptId} end`
  const given: Record<string, SQL> = { promptId: kept, settings: sql`step.settings::json` }
  const values = stepEntries.map(([key]) => given[key] ?? sql`step.${sql.identifier(key)}`)
  const stood = await db
    .delete(chainSteps)
    .where(eq(chainSteps.chainId, version.id))
    .returning({ id: chainSteps.id, namedBy: chainSteps.namedBy })
  const before = JSON.stringify(Object.fromEntries(stood.map(({ id, namedBy }) => [id, namedBy])))
  await db.execute(sql`
    insert into ${chainSteps} (chain_id, ${stepNames}) overriding system value
    select ${version.id}::integer, ${sql.join(values, sql`, `)}
    from ${chainVersions} cross join lateral jsonb_to_recordset(${chainVersions.steps}) as step (${stepFields})
    where ${isVersion(version)}`)
  // What stood there before stays whose it was; the rest came with a copy.
  await db
    .update(chainSteps)
    .set({
      namedBy: sql`(
        select coalesce(jsonb_object_agg(held, coalesce((${before}::jsonb -> ${chainSteps.id}::text ->> held)::integer, ${-userId}::integer)), '{}')
        from unnest(${chainSteps.referenceNames}) as held
      )`,
    })
    .where(eq(chainSteps.chainId, version.id))
}
