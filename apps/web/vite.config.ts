import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'

/** Paths that the server answers; everything else is the app. */
const SERVER_PATHS = ['/api', '/v1', '/healthz', '/readyz', '/metrics']

export default defineConfig(({ mode }) => {
  const port = loadEnv(mode, '.', 'PORT').PORT ?? '3000'
  const target = `http://127.0.0.1:${port}`
  return {
    plugins: [react(), tailwindcss()],
    html: { cspNonce: '__CSP_NONCE__' },
    server: { proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, { target }])) },
    build: {
      outDir: 'dist',
      target: 'es2023',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 700,
    },
  }
})
