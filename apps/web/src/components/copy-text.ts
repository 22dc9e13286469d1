import { toast } from '../lib/toast.ts'

/** Puts a text on the clipboard; false, and the person told, when it can't be had or the browser refuses. */
export async function copyText(text: string | Promise<string>): Promise<boolean> {
  try {
    if (typeof text === 'string') await navigator.clipboard.writeText(text)
    else await writeLater(text)
    return true
  } catch {
    toast({ title: 'Error', description: 'Failed to copy to clipboard', variant: 'destructive' })
    return false
  }
}

/** Begun at once: some browsers allow nothing that begins after the person's click is over. */
function writeLater(text: Promise<string>): Promise<void> {
  const type = 'text/plain'
  const blob = text.then((text) => new Blob([text], { type }))
  return navigator.clipboard.write([new ClipboardItem({ [type]: blob })])
}
