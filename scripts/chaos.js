/** Kills syncs at random moments, many times, and compares what they wrote. */
import { runBuilt } from './run-built.js'

// What is killed is the package as it is published.
runBuilt('test/chaos/main.js', { dist: 'always' })
