import { type PageData, pageData } from '@catenary/contracts'

/** What the server wrote into the page; undefined where it did not, as under the development server. */
export const servedData: PageData | undefined = readPageData()

function readPageData(): PageData | undefined {
  try {
    return pageData.safeParse(JSON.parse(document.querySelector('#page-data')?.textContent ?? '')).data
  } catch {
    return undefined
  }
}
