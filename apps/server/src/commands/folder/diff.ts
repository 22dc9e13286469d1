import { addressOf } from '@catenary/contracts'
import type { Ended } from '../say.ts'
import { canonicalOf, type Texts, unpack } from './folder-texts.ts'
import { readLocal } from './local-folder.ts'
import { createServerClient } from './server-client.ts'
import type { ServerOptions } from './server-options.ts'
import { differenceOf, listed } from './show.ts'

interface Diff extends ServerOptions {
  folder: string
  label: string
  check?: boolean
}

const SHOWN = 50

export async function diffFolder({ folder, label, check = false, ...server }: Diff): Promise<Ended> {
  const client = createServerClient(server)
  const { texts, strange } = await readLocal(folder)
  const ours: Texts = new Map([...texts].map(([path, text]) => [path, canonicalOf(path, text)]))
  const theirs = await unpack(await client.readFile(addressOf('GET /api/folder', { query: { label } })))
  const changed = [...ours].filter(([path, text]) => theirs.has(path) && theirs.get(path) !== text)
  const added = [...ours.keys()].filter((path) => !theirs.has(path))
  const missing = [...theirs.keys()].filter((path) => !ours.has(path))
  const differences = changed.length + added.length + missing.length
  const lines = changed.flatMap(([path, text], index) => [
    path,
    ...(index < SHOWN ? differenceOf(theirs.get(path) ?? '', text) : []),
  ])
  return {
    isWell: !check || differences + strange.length === 0,
    text: [
      differences === 0
        ? `No difference: the folder matches ${label}.`
        : `${changed.length} differ, ${added.length} only in the folder, ${missing.length} only on the server.`,
      ...lines,
      ...listed('Only in the folder, or without the label', added),
      ...listed('Only on the server', missing),
      ...listed('No files of a folder', strange),
    ].join('\n'),
  }
}
