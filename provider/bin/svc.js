#!/usr/bin/env node
import { launch } from '@svc/launcher'

await launch(new URL('../src/main.ts', import.meta.url), new URL('../src/main.js', import.meta.url))
