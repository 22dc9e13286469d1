import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

/** What happened to a data directory, in order; files are identified by inode, since names change. */
export type JournalRecord =
  | { op: 'create'; path: string; inode: number }
  | { op: 'write'; inode: number; position: number; data: Buffer }
  | { op: 'truncate'; inode: number; size: number }
  | { op: 'fsync'; inode: number }
  | { op: 'rename'; from: string; to: string }
  | { op: 'unlink'; path: string }
  | { op: 'mkdir'; path: string }
  | { op: 'rmdir'; path: string }
  /** The client has been told that this write is done. */
  | { op: 'acknowledge'; value: number }

const LENGTHS = 8
const NO_DATA = Buffer.alloc(0)

/** An append-only journal. One write a record, so threads and processes can share it and a kill tears nothing. */
export function openJournal(file: string) {
  const descriptor = openSync(file, 'a')
  const write = writeSync
  return {
    append: (record: JournalRecord) => write(descriptor, encode(record)),
    close: () => closeSync(descriptor),
  }
}

export function readJournal(file: string): JournalRecord[] {
  const bytes = readFileSync(file)
  const records: JournalRecord[] = []
  for (let at = 0; at < bytes.length; ) {
    const dataStart = at + LENGTHS + bytes.readUInt32BE(at)
    const end = dataStart + bytes.readUInt32BE(at + 4)
    const record = JSON.parse(bytes.toString('utf8', at + LENGTHS, dataStart))
    records.push(record.op === 'write' ? { ...record, data: bytes.subarray(dataStart, end) } : record)
    at = end
  }
  return records
}

function encode(record: JournalRecord): Buffer {
  const data = record.op === 'write' ? record.data : NO_DATA
  const fields = Buffer.from(JSON.stringify({ ...record, data: undefined }))
  const lengths = Buffer.alloc(LENGTHS)
  lengths.writeUInt32BE(fields.length, 0)
  lengths.writeUInt32BE(data.length, 4)
  return Buffer.concat([lengths, fields, data])
}
