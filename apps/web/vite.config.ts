import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'

/** Paths that the server answers; everything else is the app. */
const SERVER_PATHS = ['/api', '/v1', '/healthz', '/readyz', '/metrics']
/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(js|css|svg)$/
const COMPRESS_FROM_BYTES = 1024
/** What every visit needs, and what the front door shows beyond that. */
const ENTRY = /\/src\/main\.tsx$/
const LIBRARY = /\/src\/app\/(frame|library-route)\.tsx$/

export default defineConfig(({ mode }) => {
  const port = loadEnv(mode, '.', 'PORT').PORT ?? '3000'
  const target = `http://127.0.0.1:${port}`
  return {
    plugins: [react(), tailwindcss(), preloadLibrary(), compress()],
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
              { name: 'library', test: LIBRARY, priority: 2 },
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

/** Writes `library.html`: the page that also names the library's modules, so that they come beside the entry. */
function preloadLibrary(): Plugin {
  return {
    name: 'catenary-preload-library',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html']
        if (page?.type !== 'asset') return
        const html = page.source.toString()
        const links = Object.values(bundle)
          .filter(({ name, type }) => type === 'chunk' && name === 'library')
          .map(
            ({ fileName }) =>
              `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${fileName}">`,
          )
        const source = html.replace('</head>', `${links.join('')}</head>`)
        this.emitFile({ type: 'asset', fileName: 'library.html', source })
      },
    },
  }
}
