import { ImportError, type ReadFile, readFiles, type SourceFile } from '@catenary/domain/imports'

type Outcome = { files: ReadFile[] } | { problem: string }

export default function work(files: readonly SourceFile[]): Outcome {
  try {
    return { files: readFiles(files) }
  } catch (error) {
    if (error instanceof ImportError) return { problem: error.message }
    throw error
  }
}
