import type { Page } from 'playwright-core'

/** Notes how long everything takes that starts to move, from now on; gives the longest in ms. */
export async function watchMotion(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const longest = (list: string) =>
      Math.max(...list.split(',').map((part) => Number.parseFloat(part) * 1000))
    const note = (milliseconds: number) => {
      const { motion = '0' } = document.documentElement.dataset
      document.documentElement.dataset.motion = String(Math.max(Number(motion), milliseconds))
    }
    document.addEventListener('animationstart', ({ target }) => {
      const { animationDuration, animationIterationCount } = getComputedStyle(target as Element)
      if (animationIterationCount !== 'infinite') note(longest(animationDuration))
    })
    document.addEventListener('transitionrun', ({ target }) => {
      note(longest(getComputedStyle(target as Element).transitionDuration))
    })
  })
  return () => page.evaluate(() => Number(document.documentElement.dataset.motion ?? '0'))
}
