import type { Readable } from 'node:stream'

export interface BackupPart {
  name: string
  size: number
  content: Readable | Buffer
}

export interface TableContent {
  rows: number
  sha256?: string
}

export interface BackupSource {
  kind: 'files' | 'rows'
  parts: AsyncIterable<BackupPart>
  tables(): Record<string, TableContent>
}

export interface ReadPart {
  name: string
  size: number
  content: Readable
}
