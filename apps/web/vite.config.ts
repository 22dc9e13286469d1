import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { guidePages } from './guide-plugin.ts'

/** Paths that the server answers; everything else is the app. */
const SERVER_PATHS = ['/api', '/v1', '/healthz', '/readyz', '/metrics']
/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(js|css|svg)$/
const COMPRESS_FROM_BYTES = 1024
/** What every visit needs: React with what loads modules, which is evaluated first, and the app. */
const REACT = /\/node_modules\/(react|react-dom|scheduler)\/|vite\/preload-helper/
/** Apart, as what they would share a file with comes along with them. */
const STYLES = /\/src\/styles\.css$/
const ENTRY = /\/src\/start\.tsx$/
/** What a visit begins with, by the name of its page. The first that needs a module has it. */
const DOORS = {
  auth: /\/src\/app\/routes\/auth-route\.tsx$/,
  library: /\/src\/app\/(frame\/frame|routes\/library-route)\.tsx$/,
}
/** The chunks that a first visit runs; Chromium then compiles them off the main thread, on their way. */
const FIRST = ['react', 'entry', ...Object.keys(DOORS)]
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad\n'
/** The landing page has no frame around it. */
const FRAME = /<!-- The frame.*Its end\. -->/s
const LANDING = '<p class="grid min-h-dvh place-items-center text-sm text-text-3">Catenary</p>'
/** The first frame needs the styles alone, and a phone's line is narrow. */
const AFTER_STYLES = ' fetchpriority="low"'

/** As every table writes one. */
const ENDPOINT = /\bwho:\s*["'`]\w[\w ]*["'`],\s*summary:.{0,60}/

export default defineConfig(({ mode }) => {
  const port = loadEnv(mode, '.', 'PORT').PORT ?? '3000'
  const target = `http://127.0.0.1:${port}`
  return {
    plugins: [
      guidePages(),
      react(),
      tailwindcss(),
      writeDoors(),
      requireNoEndpoints(),
      compileAhead(),
      compress(),
    ],
    // Its browser build needs a document, which a worker doesn't have.
    resolve: {
      alias: {
        'decode-named-character-reference': fileURLToPath(
          import.meta.resolve('decode-named-character-reference'),
        ),
      },
    },
    worker: { format: 'es' },
    html: { cspNonce: '__CSP_NONCE__' },
    server: { proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, { target }])) },
    build: {
      outDir: 'dist',
      rolldownOptions: {
        input: ['index.html', 'test-dashboard.html'],
        output: {
          codeSplitting: {
            // On a mobile connection, sixty small files take longer than their bytes.
            groups: [
              { name: 'styles', test: STYLES, priority: 5 },
              { name: 'react', test: REACT, priority: 4 },
              { name: 'entry', test: ENTRY, priority: 3 },
              { name: 'auth', test: DOORS.auth, priority: 2 },
              { name: 'library', test: DOORS.library, priority: 1 },
              { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 3000 },
            ],
          },
        },
      },
      target: 'es2023',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 700,
    },
  }
})

/** Lays a brotli and a gzip copy beside each built file, so the server never compresses them itself. */
function compress(): Plugin {
  return {
    name: 'catenary-compress',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const source = file.type === 'chunk' ? file.code : file.source
          if (!COMPRESSIBLE.test(file.fileName) || source.length < COMPRESS_FROM_BYTES) continue
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.br`,
            source: brotliCompressSync(source),
          })
          this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(source) })
        }
      },
    },
  }
}

/** The tables of endpoints are for the server: whoever names one in a way that a bundler can't leave out gets no build. */
function requireNoEndpoints(): Plugin {
  return {
    name: 'catenary-no-endpoints',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const found = file.type === 'chunk' ? ENDPOINT.exec(file.code) : null
        if (found !== null) throw new Error(`${file.fileName} has an endpoint: ${found[0]}`)
      }
    },
  }
}

/** Marks the chunks that a first visit runs. */
function compileAhead(): Plugin {
  return {
    name: 'catenary-compile-ahead',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && FIRST.includes(file.name)) file.code = COMPILE_AHEAD + file.code
      },
    },
  }
}

/** Names the app's modules in its page, and writes a page for each door that names the door's too, so that all come at once. */
function writeDoors(): Plugin {
  return {
    name: 'catenary-doors',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') return
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const preload = ({ html, name }: { html: string; name: string }) => {
          const chunk = chunks.find((chunk) => chunk.name === name)
          const links = [chunk?.fileName ?? [], chunk?.imports ?? []]
            .flat()
            .filter((file) => !html.includes(file))
            .map((file) => `<link rel="modulepreload"${AFTER_STYLES} crossorigin href="/${file}">`)
          return html.replace('</head>', `${links.join('')}</head>`)
        }
        const html = page.source
          .toString()
          .replace(/<(script type|link rel)="module(preload)?"/g, `$&${AFTER_STYLES}`)
        page.source = preload({ html, name: 'entry' })
        for (const door of Object.keys(DOORS)) {
          const own = chunks.find(({ name }) => name === door)?.fileName
          if (own === undefined || html.includes(own))
            throw new Error(`Every page would load what ${door} needs`)
          const opened = door === 'auth' ? html.replace(FRAME, LANDING) : html
          const source = preload({ html: preload({ html: opened, name: 'entry' }), name: door })
          this.emitFile({ type: 'asset', fileName: `${door}.html`, source })
        }
      },
    },
  }
}
