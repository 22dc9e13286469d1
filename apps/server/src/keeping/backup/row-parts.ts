import type { Readable } from 'node:stream'
import { StartError } from '../../errors.ts'
import { tableOfPart } from './backup-format.ts'
import type { BackupPart, TableContent } from './backup-parts.ts'
import { TableDigest } from './compare-tables.ts'

const LINES_AT_ONCE = 500
const BATCH_BYTES = 1_000_000
const LINE_END = 0x0a

/** Whole lines, some at a time; a line ends with a line feed and nothing else. Throws a StartError for one that doesn't. */
export async function* readBatches(content: Readable | Buffer, name: string): AsyncGenerator<string[]> {
  let lines: string[] = []
  let bytes = 0
  let rest: Buffer[] = []
  const chunks: Buffer[] | AsyncIterable<Buffer> = Buffer.isBuffer(content) ? [content] : content
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, end)])
      rest = []
      from = end + 1
      lines.push(line.toString())
      bytes += line.length
      if (bytes < BATCH_BYTES && lines.length < LINES_AT_ONCE) continue
      yield lines
      lines = []
      bytes = 0
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  if (rest.length > 0) throw new StartError(`The copy’s part ${name} ends in the middle of a line.`)
  if (lines.length > 0) yield lines
}

export class PartsDigest {
  readonly #tables = new Map<string, TableDigest>()

  async read({ name, content }: Pick<BackupPart, 'name' | 'content'>): Promise<void> {
    const table = tableOfPart(name)
    for await (const lines of readBatches(content, name)) {
      if (table === undefined) continue
      const known = this.#tables.get(table)
      const digest = known ?? new TableDigest()
      this.#tables.set(table, digest)
      for (const line of known === undefined ? lines.slice(1) : lines) digest.add(line)
    }
  }

  contents(): Record<string, Required<TableContent>> {
    return Object.fromEntries([...this.#tables].map(([name, digest]) => [name, digest.content()]))
  }
}
