import { mkdir } from 'node:fs/promises'
import { addressOf } from '@catenary/contracts'
import type { Ended } from '../say.ts'
import { canonicalOf, digestOf, type Texts, unpack } from './folder-texts.ts'
import { readLocal, readLock, writeLocal, writeLock } from './local-folder.ts'
import { hasMarks, withMarks } from './merge-marks.ts'
import { createServerClient } from './server-client.ts'
import type { ServerOptions } from './server-options.ts'
import { listed } from './show.ts'

interface Pull extends ServerOptions {
  folder: string
  label: string
  merge?: boolean
}

/** Writes what the label says, never over a file that changed on both sides; with `merge` both texts stand there. */
export async function pull({ folder, label, merge = false, ...server }: Pull): Promise<Ended> {
  const client = createServerClient(server)
  const theirs = await unpack(await client.readFile(addressOf('GET /api/folder', { query: { label } })))
  await mkdir(folder, { recursive: true })
  const { texts: ours } = await readLocal(folder)
  const lock = await readLock(folder)
  const plan = planPull({ ours, theirs, lock })
  for (const path of plan.written) await writeLocal(folder, { path, text: theirs.get(path) ?? '' })
  const merged = merge ? plan.conflicts : []
  for (const path of merged) {
    const [own = '', other = ''] = [ours.get(path), theirs.get(path)]
    // What is not decided yet is not marked once more.
    if (!hasMarks(own)) await writeLocal(folder, { path, text: withMarks(readable(path, own) ?? own, other) })
  }
  const settled = [...plan.written, ...plan.same, ...merged]
  for (const path of settled) lock.set(path, digestOf(theirs.get(path) ?? ''))
  await writeLock(folder, lock)
  const { written, same, kept, conflicts, gone } = plan
  return {
    isWell: conflicts.length === 0,
    text: [
      `${label}: ${written.length} written, ${same.length} unchanged.`,
      ...listed('Written', written),
      ...listed('Changed in the folder only, left as they are', kept),
      ...listed(
        merge
          ? 'Changed in the folder and on the server: both are in the file between markers, resolve them and push'
          : 'Changed in the folder and on the server, left as they are: pull with --merge to get both in the file',
        conflicts,
      ),
      ...listed(
        'Not on the server, or without the label: delete the files yourself if you don’t want them',
        gone,
      ),
    ].join('\n'),
  }
}

function planPull({ ours, theirs, lock }: { ours: Texts; theirs: Texts; lock: ReadonlyMap<string, string> }) {
  const plan = {
    written: [] as string[],
    same: [] as string[],
    kept: [] as string[],
    conflicts: [] as string[],
    gone: [] as string[],
  }
  for (const [path, text] of theirs) {
    const own = ours.get(path)
    const canonical = own === undefined ? undefined : readable(path, own)
    if (own === undefined) plan.written.push(path)
    else if (canonical === text) plan.same.push(path)
    else if (canonical !== undefined && digestOf(canonical) === lock.get(path)) plan.written.push(path)
    else if (digestOf(text) === lock.get(path)) plan.kept.push(path)
    else plan.conflicts.push(path)
  }
  for (const path of lock.keys()) if (!theirs.has(path) && ours.has(path)) plan.gone.push(path)
  return plan
}

/** A file that can't be read was changed. */
function readable(path: string, text: string): string | undefined {
  try {
    return canonicalOf(path, text)
  } catch {
    return undefined
  }
}
