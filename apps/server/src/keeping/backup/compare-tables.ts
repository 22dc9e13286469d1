import { createHash, type Hash } from 'node:crypto'
import type { Queryable } from '../../database/statements/queryable.ts'
import { StartError } from '../../errors.ts'
import type { TableContent } from './backup-parts.ts'
import { readLines } from './row-lines.ts'
import { readTables } from './rows-catalog.ts'

export class TableDigest {
  readonly #hash: Hash = createHash('sha256')
  #rows = 0

  add(line: string): void {
    this.#rows += 1
    this.#hash.update(`${line}\n`)
  }

  content(): Required<TableContent> {
    return { rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}

export async function readContents(client: Queryable): Promise<Record<string, Required<TableContent>>> {
  const contents: Record<string, Required<TableContent>> = {}
  for (const table of await readTables(client)) {
    const digest = new TableDigest()
    for await (const lines of readLines(client, table)) for (const line of lines) digest.add(line)
    contents[table.name] = digest.content()
  }
  return contents
}

export function requireSameContents(
  expected: Record<string, TableContent>,
  found: Record<string, TableContent>,
): void {
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const [wanted, had] = [expected[name], found[name]]
    if (wanted === undefined)
      throw new StartError(`This database has the table ${name}, but the copy does not.`)
    if (had === undefined) throw new StartError(`The copy has the table ${name}, but this database does not.`)
    if (wanted.rows !== had.rows) {
      throw new StartError(`The table ${name} has ${had.rows} rows instead of ${wanted.rows}.`)
    }
    if (wanted.sha256 !== undefined && had.sha256 !== undefined && wanted.sha256 !== had.sha256) {
      throw new StartError(`The rows of the table ${name} differ from the copy.`)
    }
  }
}
