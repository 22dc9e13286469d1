import { setImmediate as turn } from 'node:timers/promises'
import { type FolderFile, type FolderRecord, pathOf, writePieces } from '@catenary/domain/folder'

/** So long at a time: then whoever else waits has a turn. */
const TURN_MS = 10

/** The record as its file. */
export async function writeInTurns(record: FolderRecord): Promise<FolderFile> {
  let text = ''
  let since = performance.now()
  for (const piece of writePieces(record)) {
    text += piece
    if (performance.now() - since < TURN_MS) continue
    await turn()
    since = performance.now()
  }
  return { path: pathOf(record), text }
}
