/** What a command found: it ends with 1 where that is not well. */
export interface Ended {
  text: string
  isWell: boolean
}

export const FAILED = 1

export async function say(text: string | Promise<string>): Promise<void> {
  process.stdout.write(`${await text}\n`)
}

export async function end(ending: Promise<Ended>): Promise<void> {
  const { text, isWell } = await ending
  await say(text)
  if (!isWell) process.exitCode = FAILED
}
