import { dirname, join } from 'node:path'
import type { Plugin } from 'vite'
import { PICTURE, readGuidePage } from './src/features/guide/read-guide.ts'

const GUIDE = /\/docs\/guide\/[\w-]+\.md$/

/** Makes a module of each page of the guide, laid out, with its pictures as files of the app. */
export function guidePages(): Plugin {
  return {
    name: 'catenary-guide',
    enforce: 'pre',
    transform(source, id) {
      if (!GUIDE.test(id)) return undefined
      const pictures: string[] = []
      const page = JSON.stringify(readGuidePage(source)).replaceAll(
        new RegExp(`"${PICTURE}([^"]+)"`, 'g'),
        (_, file: string) => `picture${pictures.push(join(dirname(id), file)) - 1}`,
      )
      const imports = pictures.map((file, index) => `import picture${index} from ${JSON.stringify(file)}\n`)
      return { code: `${imports.join('')}export default ${page}`, map: null }
    },
  }
}
