import { brotliCompressSync, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'

/** Paths that the server answers; everything else is the app. */
const SERVER_PATHS = ['/api', '/v1', '/healthz', '/readyz', '/metrics']
/** Fonts are compressed already. */
const COMPRESSIBLE = /\.(js|css|svg)$/
const COMPRESS_FROM_BYTES = 1024

export default defineConfig(({ mode }) => {
  const port = loadEnv(mode, '.', 'PORT').PORT ?? '3000'
  const target = `http://127.0.0.1:${port}`
  return {
    plugins: [react(), tailwindcss(), compress()],
    html: { cspNonce: '__CSP_NONCE__' },
    server: { proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, { target }])) },
    build: {
      outDir: 'dist',
      rolldownOptions: {
        input: ['index.html', 'test-dashboard.html'],
        output: {
          codeSplitting: {
            // What several pages share comes in few files: on a phone's line sixty small ones take longer than their bytes.
            groups: [
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
