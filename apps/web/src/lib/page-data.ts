import { type PageData, pageData } from '@catenary/contracts'

export const servedData: PageData | undefined = readPageData()

function readPageData(): PageData | undefined {
  try {
    return pageData.safeParse(JSON.parse(document.querySelector('#page-data')?.textContent ?? '')).data
  } catch {
    return undefined
  }
}
