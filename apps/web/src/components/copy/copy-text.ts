import { toast } from '../../lib/toast.ts'

/** Copies a text to the clipboard; shows an error and returns false when the text can't be loaded or the browser refuses. */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    await writeToClipboard(text)
    return true
  } catch {
    toast({ title: 'Error', description: 'Failed to copy to clipboard', variant: 'destructive' })
    return false
  }
}

/** Fails when the text can't be loaded or the browser refuses. */
export function writeToClipboard(text: string | Promise<string>): Promise<void> {
  return typeof text === 'string' ? navigator.clipboard.writeText(text) : writeLater(text)
}

/** Started at once: some browsers allow nothing that starts after the click is over. */
function writeLater(text: Promise<string>): Promise<void> {
  const type = 'text/plain'
  const blob = text.then((text) => new Blob([text], { type }))
  return navigator.clipboard.write([new ClipboardItem({ [type]: blob })])
}
