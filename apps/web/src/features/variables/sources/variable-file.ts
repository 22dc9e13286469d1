import { FILE_EXTENSIONS, FILE_MAX_BYTES } from '@catenary/contracts'
import { formatBytes } from '../../../lib/text/bytes.ts'

export type ReadFile = { content: string } | { problem: string }

/** A chosen file's text, or why it can't be taken; nothing is sent for one that can't. */
export async function readTextFile(file: File): Promise<ReadFile> {
  if (!isText(file)) {
    return { problem: `${file.name} can’t be uploaded. Choose a text file: ${FILE_EXTENSIONS.join(', ')}.` }
  }
  if (file.size > FILE_MAX_BYTES) {
    return { problem: `${file.name} is too large (${formatBytes(file.size)}). A file may have 1 MiB.` }
  }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    const content = decoder.decode(await file.arrayBuffer())
    if (content.includes('\0')) return { problem: `${file.name} is not a text file: it holds NUL bytes.` }
    return { content }
  } catch {
    return { problem: `${file.name} is not UTF-8 text. Save it as UTF-8 and choose it again.` }
  }
}

function isText({ name }: File): boolean {
  return FILE_EXTENSIONS.some((extension) => name.toLowerCase().endsWith(extension))
}
