import type { Readable } from 'node:stream'

/** One part of a copy, in the order in which it stands in the file. */
export interface BackupPart {
  name: string
  /** Bytes. */
  size: number
  content: Readable | Buffer
}

/** How many rows a table has; of rows read one by one, also what they are: SHA-256 over their lines, in hex. */
export interface TableContent {
  rows: number
  sha256?: string
}

/** What a database gives for a copy: parts one after the other; `tables` is complete once they all were read. */
export interface BackupSource {
  kind: 'files' | 'rows'
  parts: AsyncIterable<BackupPart>
  tables(): Record<string, TableContent>
}

/** What a file gives: each part must be consumed before the next is asked for. */
export interface ReadPart {
  name: string
  /** Bytes. */
  size: number
  content: Readable
}
