import { DOCUMENT_MAX_BYTES } from '@catenary/contracts'
import type { BoundedWork, Call, TaskOf } from '../bounded/bounded-work.ts'
import { WorkRefused } from '../bounded/work-refused.ts'
import type { CleanFile } from './clean-file-task.ts'

const CLEANING: TaskOf<typeof import('./clean-file-task.ts')> = {
  module: new URL('./clean-file-task.ts', import.meta.url),
  what: 'Reading the file',
  limitMs: 2_000,
  sizeOf: ({ bytes }) => bytes.length,
  sizeMax: DOCUMENT_MAX_BYTES,
}

export async function cleanFile(
  { bytes }: { bytes: Uint8Array },
  { bounded, ...call }: Call & { bounded: BoundedWork },
): Promise<CleanFile | { refusal: string }> {
  try {
    return await bounded.open(call).run(CLEANING, { bytes })
  } catch (error) {
    if (error instanceof WorkRefused && error.why !== 'left') return { refusal: error.message }
    throw error
  }
}
