import { toast } from '../lib/toast.ts'

/** Puts a text on the clipboard; false, and the person told, when the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast({ title: 'Error', description: 'Failed to copy to clipboard', variant: 'destructive' })
    return false
  }
}
