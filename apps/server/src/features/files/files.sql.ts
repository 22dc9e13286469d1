import type { Attachment } from '@catenary/contracts'
import { and, eq, inArray, lt, notExists, or, sql } from 'drizzle-orm'
import { fileBytes, files, runSteps, variables } from '../../database/schema/index.ts'
import type { Executor, Transaction } from '../../database/statements/executor.ts'

/** A key means something only together with who uploaded it. */
export interface OwnedKey {
  ownerId: number
  key: string
}

export type MediaRow = Attachment & OwnedKey

type NewMedia = Omit<MediaRow, 'fileId'> & { sha256: string }

function isFile({ ownerId, key }: OwnedKey) {
  return and(eq(files.ownerId, ownerId), eq(files.key, key))
}

/** Undefined where the owner has a file of that key. */
export async function createFile(
  db: Executor,
  file: OwnedKey & { content: string },
): Promise<number | undefined> {
  const [created] = await db.insert(files).values(file).onConflictDoNothing().returning({ id: files.id })
  return created?.id
}

const mediaColumns = {
  fileId: files.id,
  ownerId: files.ownerId,
  key: files.key,
  fileName: sql<string>`${files.fileName}`,
  mediaType: sql<Attachment['mediaType']>`${files.mediaType}`,
  width: files.width,
  height: files.height,
  bytes: sql<number>`${files.bytes}`.mapWith(Number),
}
const isMedia = sql`${files.mediaType} is not null`

export async function createMedia(db: Executor, media: NewMedia): Promise<MediaRow | undefined> {
  const [created] = await db.insert(files).values(media).onConflictDoNothing().returning(mediaColumns)
  return created
}

/** The same bytes under the same name, from now on as young as a new file. */
export async function renewMedia(
  db: Executor,
  { ownerId, sha256, fileName }: Pick<NewMedia, 'ownerId' | 'sha256' | 'fileName'>,
): Promise<MediaRow | undefined> {
  const [found] = await db
    .update(files)
    .set({ createdAt: sql`now()` })
    .where(and(eq(files.ownerId, ownerId), eq(files.sha256, sha256), eq(files.fileName, fileName)))
    .returning(mediaColumns)
  return found
}

export function listMediaByKeys(
  db: Executor,
  { ownerId, keys }: { ownerId: number; keys: string[] },
): Promise<MediaRow[]> {
  return db
    .select(mediaColumns)
    .from(files)
    .where(and(eq(files.ownerId, ownerId), inArray(files.key, keys), isMedia))
}

export async function findOptionalMedia(db: Executor, fileId: number): Promise<MediaRow | undefined> {
  const [found] = await db
    .select(mediaColumns)
    .from(files)
    .where(and(eq(files.id, fileId), isMedia))
  return found
}

export async function findOptionalFileContent(db: Executor, file: OwnedKey): Promise<string | undefined> {
  const [found] = await db
    .select({ content: files.content })
    .from(files)
    .where(and(isFile(file), sql`not ${isMedia}`))
  return found?.content
}

export async function lockFile(
  tx: Transaction,
  file: OwnedKey,
): Promise<{ mediaType: Attachment['mediaType'] | null } | undefined> {
  const [found] = await tx.select({ mediaType: files.mediaType }).from(files).where(isFile(file)).for('share')
  return found
}

/** What tells it from its owner's other files; it is there until the transaction ends. */
export async function lockSource(tx: Transaction, file: OwnedKey) {
  const { id, sha256, fileName } = files
  const [found] = await tx.select({ id, sha256, fileName }).from(files).where(isFile(file)).for('share')
  return found
}

/** Of every column but whose it is, and by what key; false where they have another of that key. */
export async function copyFileRow(
  tx: Transaction,
  { id, ownerId, key }: OwnedKey & { id: number },
): Promise<boolean> {
  const copied = await tx.execute<{ id: number }>(sql`
    insert into ${files} (owner_id, key, content, media_type, file_name, width, height, bytes, sha256)
    select ${ownerId}::integer, ${key}::text, content, media_type, file_name, width, height, bytes, sha256 from ${files} where id = ${id}
    on conflict do nothing returning id`)
  const copyId = copied.rows[0]?.id
  if (copyId === undefined) return false
  await tx.execute(sql`
    insert into ${fileBytes} (file_id, bytes) select ${copyId}::integer, bytes from ${fileBytes} where file_id = ${id}`)
  return true
}

/** Deletes the files from before that time which no variable of their owner refers to, and no run; the number of them. */
export async function deleteUnusedFiles(tx: Transaction, { before }: { before: Date }): Promise<number> {
  const isUnused = and(
    lt(files.createdAt, before),
    notExists(
      tx
        .select({ one: sql`1` })
        .from(variables)
        .where(
          and(
            inArray(variables.type, ['file', 'image', 'document']),
            eq(variables.ownerId, files.ownerId),
            eq(variables.content, files.key),
          ),
        ),
    ),
    or(
      sql`not ${isMedia}`,
      notExists(
        tx
          .select({ one: sql`1` })
          .from(runSteps)
          .where(
            sql`${runSteps.attachments} @> jsonb_build_array(jsonb_build_object('fileId', ${files.id}))`,
          ),
      ),
    ),
  )
  // In two steps: a variable that is being saved with the file holds its lock, and is seen by the second.
  const candidates = await tx
    .select({ id: files.id })
    .from(files)
    .where(isUnused)
    .for('update', { skipLocked: true })
  if (candidates.length === 0) return 0
  const ids = candidates.map(({ id }) => id)
  const { rowCount } = await tx.delete(files).where(and(inArray(files.id, ids), isUnused))
  return rowCount ?? 0
}

export async function insertFileBytes(
  db: Executor,
  { fileId, bytes }: { fileId: number; bytes: Uint8Array },
): Promise<void> {
  await db
    .insert(fileBytes)
    .values({ fileId, bytes: Buffer.from(bytes) })
    .onConflictDoNothing()
}

export async function findOptionalFileBytes(db: Executor, fileId: number): Promise<Buffer | undefined> {
  const [found] = await db
    .select({ bytes: fileBytes.bytes })
    .from(fileBytes)
    .where(eq(fileBytes.fileId, fileId))
  return found?.bytes
}
