/** The two parts of undici that we use, for the bundle: the whole package takes 120 ms to load, these take 40. */
import Agent from '../node_modules/undici/lib/dispatcher/agent.js'
import buildConnector from '../node_modules/undici/lib/core/connect.js'

export { Agent, buildConnector }
