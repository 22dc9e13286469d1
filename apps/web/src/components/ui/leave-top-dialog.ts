const DIALOGS = '[role="dialog"], [role="alertdialog"]'

/** Escape is the dialog's, whatever small thing floats above it: its way out is taken in place of that thing's end. */
export function leaveTopDialog(event: KeyboardEvent): void {
  // Layers are added to the document one after the other, so the last is on top; what is on its way out is none.
  const top = [...document.querySelectorAll(DIALOGS)].findLast(
    (dialog) => dialog.closest('[data-state="closed"]') === null,
  )
  const wayOut = top?.querySelector<HTMLElement>('[data-way-out]')
  if (!wayOut) return
  event.preventDefault()
  wayOut.click()
}
