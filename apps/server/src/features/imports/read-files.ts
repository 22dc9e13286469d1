import { IMPORT_TEXT_MAX } from '@catenary/contracts'
import type { ReadFile, SourceFile } from '@catenary/domain/imports'
import { AppError } from '../../errors.ts'
import type { BoundedWork, Call, TaskOf } from '../../platform/bounded/bounded-work.ts'
import { WorkRefused } from '../../platform/bounded/work-refused.ts'

const READ_FILES: TaskOf<typeof import('./read-files-task.ts')> = {
  module: new URL('./read-files-task.ts', import.meta.url),
  what: 'Reading the files',
  limitMs: 10_000,
  byProcessor: true,
  sizeOf: (files) => files.reduce((sum, { text }) => sum + text.length, 0),
  sizeMax: IMPORT_TEXT_MAX,
}

/** What is in the files. Throws `invalid` where they are too much, or take too long. */
export async function readFilesApart(
  bounded: BoundedWork,
  { files, ...call }: Call & { files: readonly SourceFile[] },
): Promise<ReadFile[]> {
  const read = await bounded
    .open(call)
    .run(READ_FILES, files)
    .catch((error: unknown) => {
      if (error instanceof WorkRefused && error.why !== 'left') return { problem: error.message }
      throw error
    })
  if ('files' in read) return read.files
  const { problem: message } = read
  throw new AppError('invalid', message, { details: [{ path: 'files', message }] })
}
