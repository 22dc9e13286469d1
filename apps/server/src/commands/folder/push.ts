import {
  addressOf,
  IMPORT_ITEMS_MAX,
  IMPORT_TEXT_MAX,
  type PushOutcome,
  pushOutcome,
} from '@catenary/contracts'
import { StartError } from '../../errors.ts'
import type { Ended } from '../say.ts'
import { canonicalOf, digestOf, type Texts } from './folder-texts.ts'
import { readLocal, readLock, writeLock } from './local-folder.ts'
import { hasMarks } from './merge-marks.ts'
import { createServerClient, type ServerClient } from './server-client.ts'
import type { ServerOptions } from './server-options.ts'
import { differenceOf, listed, printable } from './show.ts'

const PUSH = addressOf('POST /api/folder/push', {})

interface Push extends ServerOptions {
  folder: string
  message?: string
  label?: string
  base?: string
  dryRun?: boolean
}

interface Changed {
  name: string
  text: string
  base: string | null
}

/** Makes new versions of what differs; where the server has something else than the base, nothing is written. */
export async function push({
  folder,
  message,
  label,
  base,
  dryRun = false,
  ...server
}: Push): Promise<Ended> {
  const client = createServerClient(server)
  const { texts, strange } = await readLocal(folder)
  if (strange.length > 0) {
    throw new StartError(
      `${strange[0]} doesn’t belong in a folder: names have lowercase letters, digits and hyphens.`,
    )
  }
  const marked = [...texts].find(([, text]) => hasMarks(text))
  if (marked !== undefined) {
    throw new StartError(`${marked[0]} has both sides of a merge in it: choose one and remove the markers.`)
  }
  const lock = await readLock(folder)
  const bases = base === undefined ? lock : await digestsOf(base)
  const ours: Texts = new Map([...texts].map(([path, text]) => [path, canonicalOf(path, text)]))
  const changed = [...ours].flatMap(([name, text]): Changed[] => {
    const before = bases.get(name) ?? null
    return digestOf(text) === before ? [] : [{ name, text, base: before }]
  })
  const missing = listed(
    'No longer in the folder: nothing is deleted on the server',
    [...bases.keys()].filter((path) => !ours.has(path)),
  )
  if (changed.length === 0) return { text: ['Nothing to push.', ...missing].join('\n'), isWell: true }

  const batches = [...batchesOf(changed)]
  const options = { note: message ?? '', ...(label !== undefined && { label }) }
  const tried =
    batches.length === 1 && !dryRun ? [] : await sendAll(client, batches, { ...options, dryRun: true })
  if (dryRun || tried.some(hasConflict)) return describe(tried, { ours, missing, dryRun })
  const done: PushOutcome[] = []
  for (const batch of batches) {
    const outcome = await client.send(PUSH, { files: batch, dryRun: false, ...options }, pushOutcome)
    done.push(outcome)
    if (!outcome.written) break
    for (const { name, text } of batch) lock.set(name, digestOf(text))
    await writeLock(folder, lock)
  }
  return describe(done, { ours, missing, dryRun })
}

const hasConflict = ({ items }: PushOutcome): boolean => items.some(({ state }) => state === 'conflict')

async function digestsOf(base: string): Promise<Map<string, string>> {
  const { texts } = await readLocal(base)
  return new Map([...texts].map(([path, text]) => [path, digestOf(canonicalOf(path, text))]))
}

async function sendAll(
  client: ServerClient,
  batches: readonly (readonly Changed[])[],
  options: object,
): Promise<PushOutcome[]> {
  const outcomes: PushOutcome[] = []
  for (const files of batches) outcomes.push(await client.send(PUSH, { files, ...options }, pushOutcome))
  return outcomes
}

/** Prompts before what links to them and tests them. */
const ORDER = ['prompts', 'chains', 'suites']
const rankOf = ({ name }: Changed): number => ORDER.indexOf(name.split('/')[0] ?? '')

function* batchesOf(changed: readonly Changed[]): Generator<Changed[]> {
  let batch: Changed[] = []
  let length = 0
  for (const file of changed.toSorted((a, b) => rankOf(a) - rankOf(b))) {
    if (
      batch.length > 0 &&
      (batch.length >= IMPORT_ITEMS_MAX || length + file.text.length > IMPORT_TEXT_MAX)
    ) {
      yield batch
      batch = []
      length = 0
    }
    batch.push(file)
    length += file.text.length
  }
  if (batch.length > 0) yield batch
}

function describe(
  outcomes: readonly PushOutcome[],
  { ours, missing, dryRun }: { ours: Texts; missing: readonly string[]; dryRun: boolean },
): Ended {
  const items = outcomes.flatMap((outcome) => outcome.items)
  const of = (state: PushOutcome['items'][number]['state']) => items.filter((item) => item.state === state)
  const conflicts = of('conflict')
  const paths = (state: 'new' | 'version' | 'same') => of(state).map(({ path }) => path)
  const counts = `${of('new').length} new, ${of('version').length} with a new version, ${of('same').length} unchanged`
  if (conflicts.length === 0) {
    const head = dryRun ? `Would push: ${counts}.` : `Pushed: ${counts}.`
    const lines = [...listed('New', paths('new')), ...listed('New version', paths('version'))]
    return { text: [head, ...lines, ...missing].join('\n'), isWell: true }
  }
  const isPartly = outcomes.some(({ written }) => written)
  return {
    isWell: false,
    text: [
      `${isPartly ? 'Pushed in part' : 'Nothing was pushed'}: ${conflicts.length} changed on the server too. Pull with --merge, resolve the conflicts, then push again.`,
      ...conflicts.flatMap(({ path, name, here }) => [
        `${path} (${printable(name)})`,
        ...(here === null
          ? ['  (gone there, or too long to show)']
          : differenceOf(here, ours.get(path) ?? '')),
      ]),
    ].join('\n'),
  }
}
