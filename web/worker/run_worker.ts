/** The worker of the runs that are trained live. */
import 'ropewalk/worker';
