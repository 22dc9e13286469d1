import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'

/** Paths that the server answers; everything else is the app. */
const SERVER_PATHS = ['/api', '/v1', '/healthz', '/readyz', '/metrics']
/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(js|css|svg)$/
const COMPRESS_FROM_BYTES = 1024
/** What every visit needs. */
const ENTRY = /\/src\/main\.tsx$/
/** What a visit begins with, by the name of its page. The first that needs a module has it. */
const DOORS = {
  auth: /\/src\/app\/auth-route\.tsx$/,
  library: /\/src\/app\/(frame|library-route)\.tsx$/,
}

export default defineConfig(({ mode }) => {
  const port = loadEnv(mode, '.', 'PORT').PORT ?? '3000'
  const target = `http://127.0.0.1:${port}`
  return {
    plugins: [react(), tailwindcss(), writeDoors(), compress()],
    html: { cspNonce: '__CSP_NONCE__' },
    server: { proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, { target }])) },
    build: {
      outDir: 'dist',
      rolldownOptions: {
        input: ['index.html', 'test-dashboard.html'],
        output: {
          codeSplitting: {
            // On a phone's line sixty small files take longer than their bytes.
            groups: [
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

/** Writes a page for each door: the app's, which also names the door's modules, so that they come beside the entry. */
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
        const html = page.source.toString()
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        for (const door of Object.keys(DOORS)) {
          const chunk = chunks.find(({ name }) => name === door)
          const links = [chunk?.fileName ?? [], chunk?.imports ?? []]
            .flat()
            .filter((file) => !html.includes(file))
            .map((file) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`)
          const source = html.replace('</head>', `${links.join('')}</head>`)
          this.emitFile({ type: 'asset', fileName: `${door}.html`, source })
        }
      },
    },
  }
}
