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

/** What moves although the person asked for less motion. */
export function findMoving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState, effect }) => {
        const { duration = 0 } = effect?.getTiming() ?? {}
        return playState === 'running' && Number(duration) > 1
      })
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : 'a transition')),
  )
}
