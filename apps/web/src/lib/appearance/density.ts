import { useMediaQuery } from './media-query.ts'
import { storedChoice } from './stored-choice.ts'

type Density = 'comfortable' | 'compact'

const density = storedChoice<Density>({
  key: 'catenary.density',
  choices: ['comfortable', 'compact'],
  show: (density) => {
    document.documentElement.dataset.density = density
  },
})

export const { useChoice: useDensity, follow: followDensity } = density

/** On touch the spacing is never compact. */
export function useShownDensity(): Density {
  const [density] = useDensity()
  return useMediaQuery('(pointer: coarse)') ? 'comfortable' : density
}
