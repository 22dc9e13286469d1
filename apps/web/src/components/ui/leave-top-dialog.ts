const DIALOGS = '[role="dialog"], [role="alertdialog"]'

/** Escape closes the dialog, whatever small thing floats above it. */
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
