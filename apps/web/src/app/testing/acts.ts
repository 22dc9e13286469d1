import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'

type Within = ReturnType<typeof within>

/** Presses a button once it is there. */
export async function press(
  name: string | RegExp,
  place: Pick<Within, 'findByRole'> = screen,
): Promise<void> {
  await userEvent.click(await place.findByRole('button', { name }))
}

/** Writes into a field once it is there, in place of what it held. */
export async function write(
  label: string,
  text: string,
  place: Pick<Within, 'findByLabelText'> = screen,
): Promise<void> {
  const field = await place.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}

/** A prompt's card, once it is there. */
export async function findCard(title: string): Promise<Within> {
  return within(await screen.findByRole('article', { name: title }))
}

/** The dialog that is open, once it is there. */
export async function findDialog(name: string): Promise<Within> {
  return within(await screen.findByRole('dialog', { name }))
}

/** Confirms the open question. */
export async function confirm(answer: string): Promise<void> {
  await press(answer, within(await screen.findByRole('alertdialog')))
}
