import { toast } from '../../lib/toast.ts'
import { offerByHand } from './copied-by-hand.ts'

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

/**
 * Fails when the text can't be loaded or the browser refuses; a refused text is then shown, selected. Over http a
 * browser has no clipboard: there the text is copied as a selected one is.
 */
export async function writeToClipboard(text: string | Promise<string>): Promise<void> {
  const { clipboard }: { clipboard?: Clipboard | undefined } = navigator
  try {
    if (clipboard === undefined) throw new Error('The clipboard isn’t available on this page')
    await (typeof text === 'string' ? clipboard.writeText(text) : writeLater(clipboard, text))
  } catch (refusal) {
    const loaded = await text
    if (copiesSelected(loaded)) return
    offerByHand(loaded)
    throw refusal
  }
}

/** Started at once: some browsers allow nothing that starts after the click is over. */
function writeLater(clipboard: Clipboard, text: Promise<string>): Promise<void> {
  const type = 'text/plain'
  const blob = text.then((text) => new Blob([text], { type }))
  return clipboard.write([new ClipboardItem({ [type]: blob })])
}

/** Whether the browser copied the text as what is selected in a field. */
function copiesSelected(text: string): boolean {
  const { activeElement } = document
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.setAttribute('aria-hidden', 'true')
  field.style.cssText = 'position:fixed;top:0;left:0;opacity:0;font-size:16px'
  // A dialog or a menu takes the focus back from what is outside of it.
  const layer = activeElement?.closest('[role=dialog], [role=alertdialog], [role=menu]') ?? document.body
  layer.append(field)
  try {
    field.focus({ preventScroll: true })
    field.select()
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
    if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
  }
}
