import {
  type Chain,
  type ChainStep,
  FOLDER_PLACES,
  type ListedTestSuite,
  type Prompt,
  type Skill,
  type TestCase,
  type TestSuite,
} from '@catenary/contracts'
import type { TestUser } from '../../../testing/harness.ts'
import type { Library } from '../../../testing/library.ts'

type Kind = keyof typeof FOLDER_PLACES
type Fields = Readonly<Record<string, unknown>>
export interface ReadRecord {
  kind: Kind
  name: string
  fields: Fields
}

/** What a person has of all that a folder holds, as the API replies it: the fields that have a place in files, ids as slugs. */
export async function readRecords(library: Library, as: TestUser): Promise<ReadRecord[]> {
  const get = async <T>(url: string): Promise<T> => {
    const { status, body, text } = await library.request({ url, as })
    if (status !== 200) throw new Error(`${url}: ${text}`)
    return body as T
  }
  const found = await get<{ id: number }[]>('/api/prompts?ownership=mine&limit=100')
  const prompts = await Promise.all(found.map(({ id }) => get<Prompt>(`/api/prompts/${id}`)))
  const listed = await get<{ id: number }[]>('/api/chains?ownership=mine&limit=100')
  const chains = await Promise.all(listed.map(({ id }) => get<Chain>(`/api/chains/${id}`)))
  const slugs = new Map(prompts.map(({ id, slug }) => [id, slug]))
  const slugOf = (id: number | null) => (id === null ? null : (slugs.get(id) ?? `?${id}`))
  const records: ReadRecord[] = []
  const add = (kind: Kind, name: string, record: object) => {
    records.push({ kind, name, fields: placed(kind, record) })
  }
  const addSuites = async (of: string, url: string) => {
    for (const { id } of await get<ListedTestSuite[]>(`${url}/test-suites`)) {
      const suite = await get<TestSuite>(`/api/test-suites/${id}`)
      add('suite', `${of}/${suite.name}`, {
        ...suite,
        promptId: slugOf(suite.promptId),
        chainId: suite.chainId && of,
      })
      for (const each of await get<TestCase[]>(`/api/test-suites/${id}/cases`))
        add('case', `${of}/${suite.name}/${each.name}`, each)
    }
  }
  for (const prompt of prompts) {
    add('prompt', prompt.slug, { ...prompt, tags: prompt.tags.map(({ name }) => name) })
    const url = `/api/prompts/${prompt.id}`
    const skill = await library.request({ url: `${url}/skill`, as })
    if (skill.status === 200) {
      const { parts, ...fields } = skill.body as Skill
      const named = parts.map(({ path, promptId, variable }) => ({
        path,
        prompt: slugOf(promptId),
        variable,
      }))
      add('skill', prompt.slug, { ...fields, parts: named })
    }
    await addSuites(prompt.slug, url)
  }
  for (const chain of chains) {
    const { tags, steps, ...fields } = chain
    const shown = await Promise.all(
      steps.map(({ id }) => get<ChainStep>(`/api/chains/${chain.id}/steps/${id}`)),
    )
    add('chain', chain.slug, { ...fields, tags: tags.map(({ name }) => name), steps: shown.length })
    for (const [position, step] of shown.entries()) {
      add('step', `${chain.slug}/${step.outputVariableName}`, {
        ...step,
        position,
        promptId: slugOf(step.promptId),
      })
    }
    await addSuites(chain.slug, `/api/chains/${chain.id}`)
  }
  return records.sort((a, b) => (`${a.kind} ${a.name}` < `${b.kind} ${b.name}` ? -1 : 1))
}

/** Throws for a field of a reply that the table does not know. */
function placed(kind: Kind, record: object): Fields {
  const places: Readonly<Record<string, unknown>> = FOLDER_PLACES[kind]
  return Object.fromEntries(
    Object.entries(record).filter(([name]) => {
      if (!Object.hasOwn(places, name)) throw new Error(`${kind}.${name} has no place and no reason`)
      return typeof places[name] === 'string'
    }),
  )
}

/** Fields with a place that no record of these says anything with: nothing is shown of them. */
export function findUnsaid(records: readonly ReadRecord[]): string[] {
  const isSaid = (kind: Kind, name: string) =>
    records.some((each) => each.kind === kind && !isUsual(each.fields[name]))
  return (Object.keys(FOLDER_PLACES) as Kind[]).flatMap((kind) =>
    Object.entries(FOLDER_PLACES[kind]).flatMap(([name, place]) =>
      typeof place !== 'string' || isSaid(kind, name) ? [] : [`${kind}.${name}`],
    ),
  )
}

/** What a record has where nobody chose anything, but for what is true unless it is switched off. */
function isUsual(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
